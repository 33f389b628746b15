// SPDX-License-Identifier: Apache-2.0

/// A parameter of a `PhotoFilter`, declared where it is stored, of which a manifest can be made:
///
///     @Parameter(0...1, step: 0.01, label: "Strength") var strength = 0.5
///
/// The property is read, changed and stored in the recipe as without it. What is declared is for the
/// manifest, which `edithost extensions manifest` prints; the host checks values by the manifest.
@propertyWrapper
public struct Parameter<Value: Codable & Sendable>: Sendable {
    /// The value.
    public var wrappedValue: Value
    /// What the manifest says of it; nil of one that was decoded from a recipe.
    let declaration: ParameterDeclaration?

    init(_ value: Value, _ declaration: ParameterDeclaration) {
        wrappedValue = value
        self.declaration = declaration
    }
}

extension Parameter: Codable {
    /// Decodes the value alone.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try Value(from: decoder)
        declaration = nil
    }

    /// Encodes the value alone.
    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension Parameter: Equatable where Value: Equatable {
    /// Whether the values are equal.
    public static func == (one: Parameter, other: Parameter) -> Bool {
        one.wrappedValue == other.wrappedValue
    }
}

extension Parameter: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { wrappedValue.hash(into: &hasher) }
}

/// When a form shows a parameter: while another one has one of some values.
public struct ParameterVisibility: Encodable, Sendable {
    let parameter: String
    let values: [ParameterValue]

    private enum CodingKeys: String, CodingKey {
        case parameter
        case values = "in"
    }

    /// While a boolean is true, or false.
    public static func when(_ parameter: String, is value: Bool) -> ParameterVisibility {
        ParameterVisibility(parameter: parameter, values: [.boolean(value)])
    }

    /// While a choice has one of some values.
    public static func when(_ parameter: String, in values: [String]) -> ParameterVisibility {
        ParameterVisibility(parameter: parameter, values: values.map { .string($0) })
    }

    /// While an integer has one of some values.
    public static func when(_ parameter: String, in values: [Int]) -> ParameterVisibility {
        ParameterVisibility(parameter: parameter, values: values.map { .integer($0) })
    }
}
