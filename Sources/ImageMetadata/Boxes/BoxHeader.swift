// SPDX-License-Identifier: Apache-2.0

/// The header of a box (ISO/IEC 14496-12, 4.2).
struct BoxHeader {
    let type: BoxType
    /// The length of the header in bytes.
    let length: Int
    /// The length of the box including its header; `nil` if it extends to the end of its container.
    let boxLength: UInt64?

    /// Reads a header. Returns `nil` if it is truncated.
    ///
    /// - Parameter number: Returns the number at an offset from the start of the box, with a length in bytes.
    init?(_ number: (_ offset: Int, _ count: Int) -> UInt64?) {
        guard let short = number(0, 4), let type = number(4, 4) else { return nil }
        self.type = BoxType(rawValue: UInt32(truncatingIfNeeded: type))
        if short == 1 {
            guard let long = number(8, 8) else { return nil }
            (length, boxLength) = (16, long)
        } else {
            (length, boxLength) = (8, short == 0 ? nil : short)
        }
    }
}
