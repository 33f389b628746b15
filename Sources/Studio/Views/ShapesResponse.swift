// SPDX-License-Identifier: Apache-2.0

import Library
import NIOCore

/// The binary form of the shapes of a view, as structures of arrays, little-endian.
///
/// A header of 16 bytes (`EHSH`, the version 1, the count and 0 as 32-bit numbers) is followed by the days (32 bits
/// each), the aspect ratios and the flags (16 bits each).
enum ShapesResponse {
    /// Returns the bytes.
    static func bytes(of shapes: AssetShapes) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(16 + shapes.count * 8)
        buffer.writeString("EHSH")
        for number in [1, UInt32(clamping: shapes.count), 0] {
            buffer.writeInteger(number, endianness: .little)
        }
        write(shapes.days, to: &buffer)
        write(shapes.aspects, to: &buffer)
        write(shapes.flags.map(\.rawValue), to: &buffer)
        return buffer
    }

    private static func write<Number: FixedWidthInteger>(
        _ numbers: [Number], to buffer: inout ByteBuffer
    ) {
        numbers.map(\.littleEndian).withUnsafeBytes { _ = buffer.writeBytes($0) }
    }
}
