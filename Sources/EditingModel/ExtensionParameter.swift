// SPDX-License-Identifier: Apache-2.0

/// A user-adjustable parameter of an extension.
///
/// Parameters define the command line's `--set`, the validation errors of values, and the controls of a form.
public struct ExtensionParameter: Codable, Hashable, Sendable {
    /// The parameter types.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case number, integer, boolean, choice, color, point, rectangle, angle, text, file
        case points, curve

        /// Decodes a case by its name.
        public init(from decoder: any Decoder) throws { self = try Self.named(by: decoder) }
    }

    /// The name, a single word.
    public var name: String
    /// The type of the values.
    public var type: Kind
    /// The label in a form; `nil` uses the name.
    public var label: LocalizedText?
    /// A one-sentence description.
    public var help: LocalizedText?
    /// The title of the parameter's group in a form; `nil` for no group. See
    /// ``ExtensionManifest/parameterGroups``.
    public var group: LocalizedText?
    /// The minimum of a number, integer or angle.
    public var minimum: Double?
    /// The maximum of a number, integer or angle.
    public var maximum: Double?
    /// The minimum number of points; `nil` is 0 for a list and 2 for a curve.
    public var minimumCount: Int?
    /// The maximum number of points of a list or a curve; `nil` is 4096.
    public var maximumCount: Int?
    /// The step of a slider. Values between steps are valid.
    public var step: Double?
    /// The unit of a number, for example `px`; `nil` for none.
    public var unit: String?
    /// The allowed values of a choice.
    public var choices: [ParameterChoice]?
    /// The special meaning of the parameter to a form, beyond its type; `nil` for none.
    public var role: ParameterRole?
    /// The condition under which a form shows the parameter; `nil` shows it always.
    public var visibleWhen: ParameterCondition?
    /// The value of a new edit; `nil` only for a file.
    public var `default`: ParameterValue?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, type, label, help, group, minimum, maximum
        case minimumCount, maximumCount, step, unit, choices, role, visibleWhen
        case `default`
    }
}
