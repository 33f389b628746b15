// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Damage to the bytes of a database file, as caused by bad disks or careless attackers.
enum PageDamage {
    private static let pageSize = 4096

    /// Damages a file in one random way and returns its description.
    static func apply(
        to file: String, using random: inout some RandomNumberGenerator
    ) throws -> String {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let pages = bytes.count / pageSize
        let (one, other) = (
            Int.random(in: 0..<pages, using: &random), Int.random(in: 0..<pages, using: &random)
        )
        let what: String
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            bytes.replaceSubrange(range(one), with: repeatElement(0, count: pageSize))
            what = "page \(one) zeroed"
        case 1:
            let kept = bytes[range(one)]
            bytes.replaceSubrange(range(one), with: Array(bytes[range(other)]))
            bytes.replaceSubrange(range(other), with: Array(kept))
            what = "pages \(one) and \(other) exchanged"
        case 2:
            bytes.replaceSubrange(range(one), with: Array(bytes[range(other)]))
            what = "page \(other) over page \(one)"
        case 3:
            bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            what = "cut off to \(bytes.count)"
        default:
            what = flip(&bytes, page: one, using: &random)
        }
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return what
    }

    private static func range(_ page: Int) -> Range<Int> {
        page * pageSize..<(page + 1) * pageSize
    }

    /// Flips up to eight bits in the used parts of a page, not in its empty middle.
    private static func flip(
        _ bytes: inout [UInt8], page: Int, using random: inout some RandomNumberGenerator
    ) -> String {
        let written = range(page).filter { bytes[$0] != 0 }
        guard !written.isEmpty else { return "nothing" }
        var places: [Int] = []
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let place = Fuzz.pick(written, using: &random)
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            places.append(place)
        }
        return "bits of bytes \(places) of page \(page) turned"
    }
}
