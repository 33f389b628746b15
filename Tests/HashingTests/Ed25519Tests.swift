// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hashing
import Testing

@Suite("Ed25519 and BLAKE2b")
struct Ed25519Tests {
    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
    }

    /// RFC 8032, section 7.1, test 3.
    private static let seed = bytes(
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7")
    private static let key = bytes(
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
    private static let message = bytes("af82")
    private static let signature = bytes(
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a")

    @Test("keys and signatures are those of RFC 8032")
    func vector() {
        #expect(Ed25519.publicKey(seed: Self.seed) == Self.key)
        #expect(Ed25519.signature(of: Self.message, seed: Self.seed) == Self.signature)
        #expect(Ed25519.isValid(Self.signature, of: Self.message, by: Self.key))
    }

    @Test("a signature is not valid if a bit of it, of the message or of the key changes")
    func changes() {
        for index in 0..<64 {
            var signature = Self.signature
            signature[index] ^= 1
            #expect(!Ed25519.isValid(signature, of: Self.message, by: Self.key), "\(index)")
        }
        for index in 0..<32 {
            var key = Self.key
            key[index] ^= 1
            #expect(!Ed25519.isValid(Self.signature, of: Self.message, by: key), "\(index)")
        }
        #expect(!Ed25519.isValid(Self.signature, of: [0xAF, 0x83], by: Self.key))
        #expect(!Ed25519.isValid(Array(Self.signature.dropLast()), of: Self.message, by: Self.key))
        #expect(!Ed25519.isValid(Self.signature, of: Self.message, by: Array(Self.key.dropLast())))
        #expect(Ed25519.signature(of: Self.message, seed: []) == nil)
    }

    /// RFC 7693, appendix A.
    @Test("the BLAKE2b hash of abc is that of RFC 7693, also of its parts")
    func hash() throws {
        let expected = Self.bytes(
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923")
        for parts in [["abc"], ["a", "", "bc"]] {
            let hash = BLAKE2b512()
            for part in parts { hash.update(data: Data(part.utf8)) }
            #expect(hash.finalize() == expected)
        }
    }
}
