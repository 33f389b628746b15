// SPDX-License-Identifier: Apache-2.0

/// How one number of a pixel is stored. The raw values are libvips' own.
public enum BandFormat: Int32, Sendable, CaseIterable {
    /// Unsigned, 8 bit.
    case uchar = 0
    /// Signed, 8 bit.
    case char = 1
    /// Unsigned, 16 bit.
    case ushort = 2
    /// Signed, 16 bit.
    case short = 3
    /// Unsigned, 32 bit.
    case uint = 4
    /// Signed, 32 bit.
    case int = 5
    /// Floating point, 32 bit.
    case float = 6
    /// Two floating point numbers of 32 bit.
    case complex = 7
    /// Floating point, 64 bit.
    case double = 8
    /// Two floating point numbers of 64 bit.
    case doubleComplex = 9

    /// The size of one number in bytes.
    public var size: Int {
        switch self {
        case .uchar, .char: 1
        case .ushort, .short: 2
        case .uint, .int, .float: 4
        case .complex, .double: 8
        case .doubleComplex: 16
        }
    }

    /// libvips' name for it, as operations take it for an argument such as `format`.
    public var name: String {
        self == .doubleComplex ? "dpcomplex" : String(describing: self)
    }
}
