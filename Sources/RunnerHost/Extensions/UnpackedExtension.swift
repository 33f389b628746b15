// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc

/// An extension that was unpacked from an archive into a private folder, which is removed with this object.
package final class UnpackedExtension: Sendable {
    /// The path of the extension's folder.
    package let path: String
    /// The SHA-256 of the archive.
    package let archiveHash: SHA256Digest
    /// The trusted publisher that signed the archive; nil if there is none.
    package let publisher: PublisherKey?
    private let staging: InstallationFolder

    /// Copies and unpacks an archive. Nothing in it is run.
    ///
    /// - Parameters:
    ///   - archive: The open archive. It may change afterwards, because the copy is hashed and unpacked.
    ///   - expected: The SHA-256 that it must have, if it is known.
    ///   - signature: The signature of the archive, if it has one.
    ///   - publishers: The trusted publishers.
    ///   - folder: The user's extension folder, in which the private folder is created.
    /// - Throws: `HostError` with `unusableExtension`, including if the hash differs or the signature of a trusted
    ///   publisher is not valid, or `fileFailed`; `CancellationError`.
    package init(
        _ archive: OpenFile, expecting expected: SHA256Digest? = nil,
        signature: ArchiveSignature? = nil, by publishers: [PublisherKey] = [], in folder: String
    ) throws {
        staging = try InstallationFolder(in: folder)
        let copy = try NewFile.open(staging.path).makeFile("archive", mode: 0o600)
        var left = ExtensionSizeLimits.total
        guard let hash = try ExtensionBinary.digest(of: archive, copyingTo: copy, upTo: &left)
        else {
            throw HostError(
                .unusableExtension,
                "\(archive.path) is larger than \(ExtensionSizeLimits.total >> 30) GiB")
        }
        guard expected == nil || hash == expected else {
            throw HostError(
                .unusableExtension,
                "\(archive.path) has the SHA-256 \(hash.hex), not the given one; it is damaged or was replaced"
            )
        }
        archiveHash = hash
        publisher = try signature?.signer(of: copy, among: publishers)
        do {
            path = try ExtensionArchive.unpack(copy, into: try staging.makeFolder("unpacked"))
        } catch let error as HostError where error.code == .unusableExtension {
            throw HostError(
                .unusableExtension, "\(archive.path) cannot be installed: \(error.message)")
        }
    }
}
