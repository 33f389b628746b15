// SPDX-License-Identifier: Apache-2.0

/// A parameter of a `PhotoFilter`, declared at the property that stores it:
///
///     @Parameter(0...1, step: 0.01, label: "Strength") var strength = 0.5
///
/// The property is read, changed and stored in the recipe as if it had no wrapper. The declaration serves the
/// manifest that `edithost extensions manifest` generates; the host validates values against the manifest.
@propertyWrapper
public struct Parameter<Value: Codable & Sendable>: Sendable {
    /// The current value of the parameter.
    public var wrappedValue: Value
    /// The declaration for the manifest; nil if the parameter was decoded from a recipe.
    let declaration: ParameterDeclaration?

    init(_ value: Value, _ declaration: ParameterDeclaration) {
        wrappedValue = value
        self.declaration = declaration
    }
}

extension Parameter: Codable {
    /// Decodes the value without the declaration.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try Value(from: decoder)
        declaration = nil
    }

    /// Encodes the value without the declaration.
    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension Parameter: Equatable where Value: Equatable {
    /// Returns whether the values are equal; declarations are ignored.
    public static func == (one: Parameter, other: Parameter) -> Bool {
        one.wrappedValue == other.wrappedValue
    }
}

extension Parameter: Hashable where Value: Hashable {
    /// Hashes the value without the declaration.
    public func hash(into hasher: inout Hasher) { wrappedValue.hash(into: &hasher) }
}
