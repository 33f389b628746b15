// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Hashing

/// A signature of an archive in the format of minisign, which signs the BLAKE2b hash of the file with Ed25519.
package struct ArchiveSignature: Sendable {
    /// The suffix that is appended to the name of an archive.
    package static let suffix = ".minisig"
    /// The maximum size of a signature file in bytes.
    package static let maximumSize = MinisignText.maximumSize

    /// The eight bytes that name the key.
    private let keyIdentifier: [UInt8]
    private let signature: [UInt8]
    private let comment: String
    /// The signature of ``signature`` and ``comment``.
    private let commentSignature: [UInt8]

    /// The name of the key as minisign prints it: 16 hexadecimal digits.
    package var keyName: String { PublisherKey.name(of: keyIdentifier) }

    /// Returns whether the text of a file may be a signature, valid or not.
    package static func isSignature(_ text: String) -> Bool {
        text.hasPrefix(MinisignText.untrusted)
    }

    /// Reads a signature file.
    ///
    /// - Throws: `HostError` with `unusableExtension`.
    package init(_ text: String) throws {
        let lines = MinisignText.lines(text)
        guard lines.count == 4, lines[0].hasPrefix(MinisignText.untrusted),
            lines[2].hasPrefix(MinisignText.trusted),
            let first = Data(base64Encoded: lines[1]), first.count == 74,
            let last = Data(base64Encoded: lines[3]), last.count == Ed25519.signatureSize
        else { throw Self.refusal("is not in the format of minisign") }
        // "Ed" signs the file itself. To verify that, the whole file would have to be in memory.
        guard first.starts(with: Array("ED".utf8)) else {
            throw Self.refusal("is of an old kind; sign the archive with minisign 0.10 or later")
        }
        keyIdentifier = Array(first[2..<10])
        signature = Array(first[10...])
        comment = String(lines[2].dropFirst(MinisignText.trusted.count))
        commentSignature = Array(last)
    }

    /// Returns the key that made this signature of an archive; nil if it is not among the given keys.
    ///
    /// - Throws: `HostError` with `unusableExtension` if the signature is not valid; `fileFailed`.
    package func signer(
        of archive: OpenFile, among keys: some Sequence<PublisherKey>
    ) throws -> PublisherKey? {
        let candidates = keys.filter { $0.identifier == keyIdentifier }
        guard !candidates.isEmpty else { return nil }
        let hash = try Self.hash(of: archive)
        for key in candidates
        where Ed25519.isValid(signature, of: hash, by: key.bytes)
            && Ed25519.isValid(
                commentSignature, of: signature + Array(comment.utf8), by: key.bytes)
        {
            return key
        }
        throw Self.refusal("is not valid; the archive or the signature was changed")
    }

    /// Returns the text of a signature file.
    ///
    /// - Parameters:
    ///   - archive: The open archive.
    ///   - name: The file name of the archive, which the trusted comment contains.
    ///   - key: The secret key.
    /// - Throws: `HostError` with `fileFailed`.
    package static func text(
        signing archive: OpenFile, named name: String, with key: PublisherSecretKey
    ) throws -> String {
        let comment = "file:\(name)\thashed"
        guard let signature = Ed25519.signature(of: try hash(of: archive), seed: key.seed),
            let outer = Ed25519.signature(
                of: signature + Array(comment.utf8), seed: key.seed)
        else { throw HostError(.fileFailed, "\(name) cannot be signed") }
        let inner = Data(Array("ED".utf8) + key.publicKey.identifier + signature)
        return [
            "\(MinisignText.untrusted)signature of an editing extension",
            inner.base64EncodedString(), MinisignText.trusted + comment,
            Data(outer).base64EncodedString(),
        ].map { "\($0)\n" }.joined()
    }

    private static func hash(of archive: OpenFile) throws -> [UInt8] {
        let hash = BLAKE2b512()
        var offset = 0
        while true {
            let part = try archive.read(count: 1 << 20, at: offset)
            if part.isEmpty { break }
            hash.update(data: part)
            offset += part.count
        }
        guard let digest = hash.finalize() else {
            throw HostError(.fileFailed, "\(archive.path) cannot be hashed")
        }
        return digest
    }

    private static func refusal(_ what: String) -> HostError {
        HostError(.unusableExtension, "the signature of the archive \(what)")
    }
}
