// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hashing
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The examples that NIST publishes for FIPS 180-4, and the hash of empty input.
    @Test(
        "SHA-256 gives the published hashes",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                    + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ])
    func published(text: String, expected: String) {
        #expect(hex(SHA256.hash(data: Data(text.utf8))) == expected)
    }

    @Test(
        "a million letters in pieces of any size give the published hash",
        arguments: [1, 63, 64, 65, 4096])
    func pieces(size: Int) {
        var hash = SHA256()
        var left = 1_000_000
        while left > 0 {
            let count = min(size, left)
            hash.update(data: [UInt8](repeating: 0x61, count: count))
            left -= count
        }
        #expect(
            hex(hash.finalize())
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("a copied hash continues independently, and finalizing changes nothing")
    func copies() {
        var first = SHA256()
        first.update(data: Data("a".utf8))
        var second = first
        _ = first.finalize()
        first.update(data: Data("bc".utf8))
        second.update(data: Data("bd".utf8))
        #expect(first.finalize() == SHA256.hash(data: Data("abc".utf8)))
        #expect(second.finalize() == SHA256.hash(data: Data("abd".utf8)))
    }

    /// Cases 1, 2, 3 and 6 of RFC 4231.
    @Test(
        "authentication codes match RFC 4231",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func authentication(key: [UInt8], data: [UInt8], expected: String) {
        #expect(hex(SHA256.authenticationCode(for: data, key: key)) == expected)
    }
}
