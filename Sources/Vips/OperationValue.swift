// SPDX-License-Identifier: Apache-2.0

/// A value of an argument of a libvips operation.
///
/// Literals are usually enough: `["direction": "horizontal", "scale": 0.5, "background": [0, 0, 0]]`. Enumerations
/// and flags accept libvips' nickname or a number. An integer is also accepted for a floating-point argument, or
/// for an array of them.
public enum OperationValue: Sendable {
    /// A Boolean.
    case bool(Bool)
    /// An integer, or the numeric value of an enumeration.
    case integer(Int)
    /// A floating-point number.
    case double(Double)
    /// A string, the nickname of an enumeration value, or the name of an interpolator.
    case string(String)
    /// An array of numbers, converted to integers if the operation expects these.
    case doubles([Double])
    /// Binary data, which is copied.
    case bytes([UInt8])
    /// One image.
    case image(Image)
    /// An array of images.
    case images([Image])
    /// The source of a loader.
    case source(ImageSource)
    /// The target of a saver.
    case target(ImageTarget)
}

extension OperationValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
    /// Creates a Boolean from a literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates an integer from a literal.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates a floating-point number from a literal.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates a string from a literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an array of numbers from a literal.
    public init(arrayLiteral elements: Double...) { self = .doubles(elements) }
}
