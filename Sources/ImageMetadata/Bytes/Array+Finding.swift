// SPDX-License-Identifier: Apache-2.0

import Glibc

extension Array where Element == UInt8 {
    /// Returns the next occurrence of a pattern.
    func find(_ pattern: [UInt8], from start: Int) -> Int? {
        start < count ? find(pattern, in: start..<count) : nil
    }

    /// Returns the first occurrence of a pattern in a range.
    func find(_ pattern: [UInt8], in range: Range<Int>) -> Int? {
        guard let first = pattern.first, range.lowerBound >= 0, range.upperBound <= count
        else {
            return nil
        }
        return withUnsafeBytes { bytes -> Int? in
            guard let start = bytes.baseAddress else { return nil }
            var place = range.lowerBound
            // memchr is fast, and packets may have megabytes.
            while pattern.count <= range.upperBound - place,
                let next = memchr(
                    start + place, Int32(first), range.upperBound - place - pattern.count + 1)
            {
                if memcmp(next, pattern, pattern.count) == 0 {
                    return UnsafeRawPointer(next) - start
                }
                place = UnsafeRawPointer(next) - start + 1
            }
            return nil
        }
    }

    /// Returns the last occurrence of a pattern.
    func lastRange(of pattern: [UInt8]) -> Range<Int>? {
        guard pattern.count <= count else { return nil }
        var place = count - pattern.count
        while place >= 0 {
            if self[place] == pattern[0], self[place..<place + pattern.count].elementsEqual(pattern)
            {
                return place..<place + pattern.count
            }
            place -= 1
        }
        return nil
    }
}
