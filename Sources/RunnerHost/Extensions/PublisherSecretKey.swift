// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hashing

/// The secret key of a publisher of extensions, in the format of minisign and without a password.
package struct PublisherSecretKey {
    /// The key that verifies the signatures.
    package let publicKey: PublisherKey
    let seed: [UInt8]

    /// Reads a key.
    ///
    /// - Parameter text: A file that `minisign -G -W` made.
    /// - Throws: `HostError` with `badRequest`, including if the key is encrypted with a password.
    package init(_ text: String) throws {
        let lines = MinisignText.lines(text)
        // Algorithms of 2 bytes each, salt and limits of scrypt, identifier, seed, public key, checksum.
        guard let line = lines.first(where: { !MinisignText.isComment($0) }),
            let data = Data(base64Encoded: line), data.count == 158,
            data.starts(with: Array("Ed".utf8))
        else { throw HostError(.badRequest, "the secret key is not a file of minisign") }
        guard data[2] == 0, data[3] == 0 else {
            throw HostError(
                .badRequest,
                "the secret key is encrypted with a password; sign the archive with minisign -S, "
                    + "or use a key made by minisign -G -W")
        }
        seed = Array(data[62..<94])
        let stored = Array(data[94..<126])
        guard Ed25519.publicKey(seed: seed) == stored,
            let key = PublisherKey(identifier: Array(data[54..<62]), bytes: stored)
        else { throw HostError(.badRequest, "the secret key is damaged") }
        publicKey = key
    }
}
