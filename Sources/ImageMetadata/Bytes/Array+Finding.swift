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
            var position = range.lowerBound
            // memchr is fast, and packets may have megabytes.
            while pattern.count <= range.upperBound - position,
                let next = memchr(
                    start + position, Int32(first), range.upperBound - position - pattern.count + 1)
            {
                if memcmp(next, pattern, pattern.count) == 0 {
                    return UnsafeRawPointer(next) - start
                }
                position = UnsafeRawPointer(next) - start + 1
            }
            return nil
        }
    }

    /// Returns the last occurrence of a pattern.
    func lastRange(of pattern: [UInt8]) -> Range<Int>? {
        guard pattern.count <= count else { return nil }
        var position = count - pattern.count
        while position >= 0 {
            if self[position] == pattern[0],
                self[position..<position + pattern.count].elementsEqual(pattern)
            {
                return position..<position + pattern.count
            }
            position -= 1
        }
        return nil
    }
}
