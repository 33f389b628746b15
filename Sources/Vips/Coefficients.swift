// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks

/// Coefficients as integer multiples of a power of one half.
@usableFromInline
struct Coefficients: Sendable {
    private let numbers: [Int32]

    /// Rounds numbers between -7.5 and 7.5.
    init(_ numbers: [Double], fractionBits: Int32) {
        let unit = Double(Int32(1) << fractionBits)
        // Cannot overflow: 7.5 * 2^24 is well within the range of `Int32`.
        self.numbers = numbers.map { Int32(exactly: ($0 * unit).rounded()) ?? 0 }
    }

    @usableFromInline
    func multiplyBytes(_ planes: UnsafeMutableRawPointer, count: Int) {
        pixel_block_multiply_8(planes.assumingMemoryBound(to: UInt8.self), numbers, count)
    }

    @usableFromInline
    func multiplyWords(_ planes: UnsafeMutableRawPointer, count: Int) {
        pixel_block_multiply_16(planes.assumingMemoryBound(to: UInt16.self), numbers, count)
    }
}
