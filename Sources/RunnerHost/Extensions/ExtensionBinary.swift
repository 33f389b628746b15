// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Foundation
import Hashing

/// An extension's shared library in sealed memory, and the hashes of the extension's parts.
///
/// A runner loads these bytes, so the loaded code is the hashed code even if the file changes.
package struct ExtensionBinary: Sendable {
    /// The manifest that was hashed.
    package let manifest: ExtensionManifest
    /// The digest of manifest, library and `hashedFiles`, by which the extension is trusted, quarantined and
    /// cached.
    package let digest: SHA256Digest
    /// The SHA-256 of the library.
    package let libraryHash: SHA256Digest
    /// The SHA-256 over the hashes of the manifest's `hashedFiles`, in their order; nil if there are none.
    package let filesHash: SHA256Digest?
    /// The trust level of this build at the time when it was read.
    package let trust: ExtensionTrust.Level
    /// True if it may read the originals of the assets that it edits.
    package let mayReadOriginals: Bool
    let memory: OpenFile
    /// The contents of the manifest's `hashedFiles`.
    let files: ExtensionFiles
    /// The folder of the photo library that it is run for, whose recipes and pictures it receives; nil if there
    /// is none.
    var servedLibrary: String?
    /// The path from which a runner without a sandbox loads the library, for a debugger; nil means from ``memory``.
    package var debuggedPath: String?
    /// Whether the manifest is a placeholder, because the library is loaded to generate one.
    var isUnknown = false

    /// True if it may share a runner with other extensions and read encoded pictures.
    package var isTrusted: Bool { trust != .none }

    /// Reads, hashes and seals the library of an extension.
    ///
    /// - Throws: `HostError` with `unusableExtension`.
    package init(reading installed: InstalledExtension, trust: ExtensionTrust) throws {
        guard let manifest = installed.manifest, let manifestHash = installed.manifestHash else {
            throw HostError(
                .unusableExtension, installed.reason ?? "no manifest",
                extension: installed.identifier, underlying: installed.failure)
        }
        do {
            let folder = try ExtensionFolder(installed.path)
            let (memory, hash) = try Self.seal(try folder.file(manifest.library))
            try Self.requireLoadable(memory, manifest.library)
            files = try ExtensionFiles(manifest.hashedFiles, in: folder)
            self.manifest = manifest
            self.memory = memory
            libraryHash = hash
            filesHash = Self.hash(files.hashes)
            digest = ExtensionDigest.of(manifest: manifestHash, library: hash, files: files.hashes)
            let level = trust.level(of: digest)
            self.trust = level
            mayReadOriginals =
                level != .none || manifest.readsOriginal && trust.mayReadOriginals(digest)
        } catch {
            throw HostError(
                .unusableExtension,
                "the extension \(installed.identifier) cannot be read: \(error)",
                extension: installed.identifier, underlying: error)
        }
    }

    /// Reads, hashes and seals a library that has no manifest yet. It is untrusted.
    ///
    /// - Parameters:
    ///   - library: The path of the library.
    ///   - identifier: The identifier that the library is loaded with.
    /// - Throws: `HostError` with `unusableExtension`, `noSuchFile` or `fileFailed`.
    package init(ofUnknownLibrary library: String, loadedAs identifier: String) throws {
        // Not validated, because the runner only uses its identifier and library.
        let made: [String: Any] = [
            "identifier": identifier, "name": identifier, "version": "", "abi": "",
            "library": library, "supportedMediaTypes": ["image"],
        ]
        manifest = try JSONDecoder().decode(
            ExtensionManifest.self, from: JSONSerialization.data(withJSONObject: made))
        let path = URL(fileURLWithPath: library)
        let folder = try ExtensionFolder(path.deletingLastPathComponent().path)
        let (memory, hash) = try Self.seal(try folder.file(path.lastPathComponent))
        try Self.requireLoadable(memory, path.lastPathComponent)
        self.memory = memory
        libraryHash = hash
        digest = hash
        filesHash = nil
        files = ExtensionFiles()
        trust = .none
        mayReadOriginals = false
        isUnknown = true
    }

    /// Rejects truncated libraries and those for another platform. Loading them would fail late, or without a
    /// reason.
    private static func requireLoadable(_ memory: OpenFile, _ name: String) throws {
        if let mismatch = try SharedLibraryPlatform.mismatch(of: memory, named: name) {
            throw HostError(.unusableExtension, mismatch)
        }
        let size = try memory.byteCount()
        guard let segments = try LoadedSegments(memory), !segments.fit(in: size) else { return }
        throw HostError(
            .unusableExtension,
            "its library \(name) is truncated; install an intact copy of the extension")
    }

    private static func seal(_ file: OpenFile) throws -> (OpenFile, SHA256Digest) {
        let memory = try OpenFile.memory("extension")
        var left = ExtensionSizeLimits.file
        guard let hash = try digest(of: file, copyingTo: memory, upTo: &left) else {
            throw HostError(.unusableExtension, "the shared library is larger than 1 GiB")
        }
        guard csandbox_seal(memory.descriptor) == 0 else {
            throw HostError.file("cannot be sealed", path: "the shared library")
        }
        return (memory, hash)
    }

    /// The hash that renditions are recorded with; nil if there are no files.
    private static func hash(_ files: [SHA256Digest]) -> SHA256Digest? {
        guard !files.isEmpty else { return nil }
        var all = SHA256()
        for file in files { all.update(data: Data(file.hex.utf8)) }
        return SHA256Digest(bytes: all.finalize())
    }

    /// Hashes a file and copies it to memory; nil if it is larger than `left` bytes.
    static func digest(
        of file: OpenFile, copyingTo memory: OpenFile, upTo left: inout Int
    ) throws -> SHA256Digest? {
        guard try file.byteCount() <= left else { return nil }
        var hash = SHA256()
        var offset = 0
        while true {
            let part = try file.read(count: 1 << 20, at: offset)
            if part.isEmpty { break }
            offset += part.count
            left -= part.count
            guard left >= 0 else { return nil }
            hash.update(data: part)
            try memory.copy(part)
        }
        try memory.endCopy()
        return SHA256Digest(bytes: hash.finalize())
    }
}
