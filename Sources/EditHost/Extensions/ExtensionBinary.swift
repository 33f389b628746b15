// SPDX-License-Identifier: Apache-2.0

import CSandbox
import struct Crypto.SHA256
import EditingModel
import Foundation

/// The bytes of an extension's library in sealed memory, with their hash.
///
/// A runner loads these very bytes, so what is loaded is what was hashed, whatever happens to
/// the file.
public struct ExtensionBinary: Sendable {
    /// What the manifest says.
    public let manifest: ExtensionManifest
    /// The SHA-256 of the library.
    public let libraryHash: SHA256Digest
    /// The SHA-256 over the hashes of the manifest's `hashedFiles`, in their order; nil where
    /// there are none.
    public let filesHash: SHA256Digest?
    /// Who vouches for it.
    public let trust: ExtensionTrust.Level
    let memory: OwnedDescriptor

    /// Whether it may share a runner with others and see encoded pictures.
    var isTrusted: Bool { trust != .none }

    /// The largest library that is loaded, in bytes.
    static let maximumSize = 1 << 30

    /// Reads, hashes and seals the library of an extension.
    ///
    /// - Throws: `HostError` with `unusableExtension`.
    init(reading installed: InstalledExtension, trust: ExtensionTrust) throws {
        guard let manifest = installed.manifest, let path = installed.libraryPath else {
            throw HostError(
                .unusableExtension, installed.reason ?? "it has no manifest",
                extension: installed.identifier)
        }
        do {
            let (memory, hash) = try Self.seal(path)
            self.manifest = manifest
            self.memory = memory
            libraryHash = hash
            self.trust = trust.level(of: hash)
            filesHash = try Self.hash(manifest.hashedFiles.map { "\(installed.path)/\($0)" })
        } catch {
            throw HostError(
                .unusableExtension,
                "the extension \(installed.identifier) cannot be read: \(error)",
                extension: installed.identifier, underlying: error)
        }
    }

    private static func seal(_ path: String) throws -> (OwnedDescriptor, SHA256Digest) {
        let file = try OwnedDescriptor(readingFile: path, flags: O_NONBLOCK)
        let memory = try OwnedDescriptor.memory("extension")
        let hash = try digest(of: file, copyingTo: memory)
        guard csandbox_seal(memory.number) == 0 else {
            throw OwnedDescriptor.failure("cannot be sealed", path: path)
        }
        return (memory, hash)
    }

    private static func hash(_ paths: [String]) throws -> SHA256Digest? {
        guard !paths.isEmpty else { return nil }
        var all = SHA256()
        for path in paths {
            let file = try OwnedDescriptor(readingFile: path, flags: O_NONBLOCK)
            all.update(data: Data(try digest(of: file, copyingTo: nil).hex.utf8))
        }
        return SHA256Digest(bytes: all.finalize())
    }

    private static func digest(
        of file: OwnedDescriptor, copyingTo memory: OwnedDescriptor?
    ) throws -> SHA256Digest {
        var hash = SHA256()
        var offset = 0
        while true {
            let part = try file.read(count: 1 << 20, at: offset)
            if part.isEmpty { return SHA256Digest(bytes: hash.finalize()) }
            offset += part.count
            guard offset <= maximumSize else {
                throw HostError(.unusableExtension, "its library is larger than 1 GiB")
            }
            hash.update(data: part)
            try memory?.write(part)
        }
    }
}
