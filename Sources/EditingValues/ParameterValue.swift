// SPDX-License-Identifier: Apache-2.0

/// The value of an extension's parameter, with its JSON representation.
public enum ParameterValue: Hashable, Sendable {
    /// The value of a number or an angle (degrees, clockwise).
    case number(Double)
    /// The value of an integer parameter.
    case integer(Int)
    /// The value of a boolean parameter.
    case boolean(Bool)
    /// The value of a choice, a text, a file (its path) or a colour (`#rrggbbaa`).
    case string(String)
    /// A point in normalised image coordinates: origin top left, (1, 1) bottom right.
    case point(x: Double, y: Double)
    /// A rectangle in normalised image coordinates, with the origin at the top left.
    case rectangle(x: Double, y: Double, width: Double, height: Double)
    /// A point list or a ``Curve``, at most 4096 points.
    case points([UnitPoint])
}

extension ParameterValue: Codable {
    private enum CodingKeys: String, CodingKey { case x, y, width, height }

    /// Decodes the form that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        if let values = try? decoder.container(keyedBy: CodingKeys.self) {
            let x = try values.decode(Double.self, forKey: .x)
            let y = try values.decode(Double.self, forKey: .y)
            guard values.contains(.width) || values.contains(.height) else {
                self = .point(x: x, y: y)
                return
            }
            self = .rectangle(
                x: x, y: y, width: try values.decode(Double.self, forKey: .width),
                height: try values.decode(Double.self, forKey: .height))
            return
        }
        if var list = try? decoder.unkeyedContainer() {
            self = .points(try UnitPoint.list(in: &list))
            return
        }
        let value = try decoder.singleValueContainer()
        if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? value.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else {
            self = .string(try value.decode(String.self))
        }
    }

    /// Encodes a number, boolean or string as itself, a point or rectangle as an object, and a list of points
    /// as `[[x, y], …]`.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .number(let number):
            var value = encoder.singleValueContainer()
            try value.encode(number)
        case .integer(let integer):
            var value = encoder.singleValueContainer()
            try value.encode(integer)
        case .boolean(let boolean):
            var value = encoder.singleValueContainer()
            try value.encode(boolean)
        case .string(let string):
            var value = encoder.singleValueContainer()
            try value.encode(string)
        case .point(let x, let y):
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(x, forKey: .x)
            try values.encode(y, forKey: .y)
        case .rectangle(let x, let y, let width, let height):
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(x, forKey: .x)
            try values.encode(y, forKey: .y)
            try values.encode(width, forKey: .width)
            try values.encode(height, forKey: .height)
        case .points(let points):
            var list = encoder.unkeyedContainer()
            try UnitPoint.encode(points, to: &list)
        }
    }
}
