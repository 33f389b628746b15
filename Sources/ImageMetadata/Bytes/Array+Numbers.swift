// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Returns an unsigned number of up to 7 bytes at an offset; `nil` if it is out of range.
    func number(at offset: Int, bytes length: Int, bigEndian: Bool) -> Int? {
        guard offset >= 0, offset <= count - length else { return nil }
        return (0..<length).reduce(0) { number, index in
            number << 8 | Int(self[offset + (bigEndian ? index : length - 1 - index)])
        }
    }

    /// Overwrites bytes at an offset with the low-order bytes of a number. It is a no-op if the range is out of
    /// bounds.
    mutating func set(
        _ value: some FixedWidthInteger, bytes length: Int, at offset: Int, bigEndian: Bool = true
    ) {
        guard offset >= 0, length <= count - offset else { return }
        for index in 0..<length {
            let shift = 8 * (bigEndian ? length - 1 - index : index)
            self[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }

    /// Appends the low-order bytes of a number, big-endian.
    mutating func append(_ value: some FixedWidthInteger, bytes count: Int) {
        for index in (0..<count).reversed() {
            append(UInt8(truncatingIfNeeded: value >> (8 * index)))
        }
    }
}
