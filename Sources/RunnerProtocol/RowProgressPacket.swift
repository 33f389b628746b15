// SPDX-License-Identifier: Apache-2.0

/// The content of a packet that reports progress in rows: the number of rows written, in 4 bytes, little endian.
package enum RowProgressPacket {
    /// The value that announces that no more rows will be written.
    package static let none = UInt32.max
}
