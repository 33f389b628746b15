// SPDX-License-Identifier: Apache-2.0

/// One thing that a user can set on an extension.
///
/// From these come the command line's `--set`, the errors of wrong values, and any form.
public struct ExtensionParameter: Codable, Hashable, Sendable {
    /// The types of parameters.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case number, integer, boolean, choice, color, point, rectangle, angle, text, file
        case points, curve

        /// Decodes the name of a case.
        public init(from decoder: any Decoder) throws { self = try Self.named(by: decoder) }
    }

    /// The name, a word.
    public var name: String
    /// The type.
    public var type: Kind
    /// What a form writes beside it; nil: the name.
    public var label: LocalizedText?
    /// One sentence about it.
    public var help: LocalizedText?
    /// What those are called that a form shows together; nil: none. See ``ExtensionManifest/parameterGroups``.
    public var group: LocalizedText?
    /// The smallest value of a number, integer or angle.
    public var minimum: Double?
    /// The largest value of a number, integer or angle.
    public var maximum: Double?
    /// The fewest points of a list or a curve; nil: none of a list, two of a curve.
    public var minimumCount: Int?
    /// The most points of a list or a curve; nil: 4096.
    public var maximumCount: Int?
    /// The step of a slider; values between steps are allowed.
    public var step: Double?
    /// The unit of a number, for example `px`; nil: none.
    public var unit: String?
    /// The values of a choice.
    public var choices: [ParameterChoice]?
    /// When a form shows it; nil: always.
    public var visibleWhen: ParameterCondition?
    /// The value of a new edit. Nil only for a file.
    public var `default`: ParameterValue?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, type, label, help, group, minimum, maximum
        case minimumCount, maximumCount, step, unit, choices, visibleWhen
        case `default`
    }
}
