// SPDX-License-Identifier: Apache-2.0

/// The numeric type of a pixel's samples. The raw values are those of `VipsBandFormat`.
public enum BandFormat: Int32, Sendable, CaseIterable {
    /// Unsigned 8-bit integer.
    case uchar = 0
    /// Signed 8-bit integer.
    case char = 1
    /// Unsigned 16-bit integer.
    case ushort = 2
    /// Signed 16-bit integer.
    case short = 3
    /// Unsigned 32-bit integer.
    case uint = 4
    /// Signed 32-bit integer.
    case int = 5
    /// 32-bit floating point.
    case float = 6
    /// Complex number of two 32-bit floating-point numbers.
    case complex = 7
    /// 64-bit floating point.
    case double = 8
    /// Complex number of two 64-bit floating-point numbers.
    case doubleComplex = 9

    /// The size of one sample in bytes.
    public var size: Int {
        switch self {
        case .uchar, .char: 1
        case .ushort, .short: 2
        case .uint, .int, .float: 4
        case .complex, .double: 8
        case .doubleComplex: 16
        }
    }

    /// libvips' nickname, for arguments of operations such as `format`.
    public var name: String {
        self == .doubleComplex ? "dpcomplex" : String(describing: self)
    }
}
