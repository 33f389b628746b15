// SPDX-License-Identifier: Apache-2.0

/// A value for an argument of a libvips operation.
///
/// Literals do for most: `["direction": "horizontal", "scale": 0.5, "background": [0, 0, 0]]`.
/// Enumerations and flags are given by libvips' short name or by number; a whole number is also
/// taken where the operation wants a floating point number or an array of them.
public enum OperationValue: Sendable {
    /// True or false.
    case bool(Bool)
    /// A whole number, or the number of an enumeration's case.
    case integer(Int)
    /// A floating point number.
    case double(Double)
    /// A text, the short name of an enumeration's case, or the name of an interpolator.
    case string(String)
    /// Numbers: whole ones where the operation wants an array of these.
    case doubles([Double])
    /// Bytes, which are copied.
    case bytes([UInt8])
    /// An image.
    case image(Image)
    /// Several images.
    case images([Image])
    /// Where a loader reads from.
    case source(ImageSource)
    /// Where a saver writes to.
    case target(ImageTarget)
}

extension OperationValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
    /// A Boolean literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number literal.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A floating point literal.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A text literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A literal array of numbers.
    public init(arrayLiteral elements: Double...) { self = .doubles(elements) }
}
