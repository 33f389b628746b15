// SPDX-License-Identifier: Apache-2.0

/// The value of a parameter, in the form in which it travels: any JSON value.
///
/// The manifest's number and angle are `number`, or `integer` where they are whole; a choice, a
/// text, a file and a colour (`#rrggbbaa`) are `string`; a point and a rectangle are `object`.
public enum ParameterValue: Hashable, Sendable {
    /// Nothing.
    case null
    /// True or false.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// Any number.
    case number(Double)
    /// A text.
    case string(String)
    /// Several values.
    case array([ParameterValue])
    /// Named values.
    case object([String: ParameterValue])
}

extension ParameterValue: Codable {
    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? value.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let array = try? value.decode([ParameterValue].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: ParameterValue].self))
        }
    }

    /// Encodes as that JSON value.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .boolean(let boolean): try value.encode(boolean)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .string(let text): try value.encode(text)
        case .array(let array): try value.encode(array)
        case .object(let object): try value.encode(object)
        }
    }
}
