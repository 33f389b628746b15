// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// What a manifest says of a parameter.
struct ParameterDeclaration: Encodable, Sendable {
    /// One of the values of a choice.
    struct Choice: Encodable, Sendable {
        let value: String
        var label: LocalizedText?
    }

    /// The name and the default are known by the property.
    var name: String?
    let type: String
    var label: LocalizedText?
    var help: LocalizedText?
    var group: LocalizedText?
    var minimum: Double?
    var maximum: Double?
    var minimumCount: Int?
    var maximumCount: Int?
    var step: Double?
    var unit: String?
    var choices: [Choice]?
    var visibleWhen: ParameterVisibility?
    var `default`: ParameterValue?
}

/// A property that declares a parameter.
private protocol DeclaringProperty {
    /// The parameter, without its name.
    ///
    /// - Throws: an error where the value is none of a parameter.
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

extension PhotoFilter {
    /// The parameters that its properties declare, in their order, with the defaults of a new edit.
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
