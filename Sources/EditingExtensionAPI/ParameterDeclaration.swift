// SPDX-License-Identifier: Apache-2.0

/// The declaration of a parameter in a manifest.
struct ParameterDeclaration: Encodable, Sendable {
    /// A value of a parameter that is a choice, with its label.
    struct Choice: Encodable, Sendable {
        let value: String
        var label: LocalizedText?
    }

    /// The name; nil until it is set from the property's name. The default value is set from the property's value.
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
    var role: ParameterRole?
    var visibleWhen: ParameterVisibility?
    var `default`: ParameterValue?
}
