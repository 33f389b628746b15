// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension PhotoFilter {
    /// Returns the parameters declared by the filter's properties, in declaration order, with the defaults of a new
    /// edit.
    static func declaredParameters() throws -> [ParameterDeclaration] {
        try Mirror(reflecting: Self()).children.compactMap { child in
            guard let property = child.value as? any DeclaringProperty,
                var parameter = try property.declared()
            else { return nil }
            // The wrapper of `strength` is stored as `_strength`.
            parameter.name = child.label.map { String($0.dropFirst()) }
            return parameter
        }
    }
}

/// A property that may declare a parameter.
private protocol DeclaringProperty {
    /// Returns the declaration, without its name.
    ///
    /// - Throws: An error if the value is not a valid parameter value.
    func declared() throws -> ParameterDeclaration?
}

extension Parameter: DeclaringProperty {
    func declared() throws -> ParameterDeclaration? {
        guard var declaration else { return nil }
        declaration.default = try JSONDecoder().decode(
            ParameterValue.self, from: JSON.encode(wrappedValue))
        return declaration
    }
}
