// SPDX-License-Identifier: Apache-2.0

/// A named set of parameter values.
public struct ParameterPreset: Codable, Hashable, Sendable {
    /// The name that selects the preset.
    public var name: String
    /// The label in a form; `nil` uses the name.
    public var label: LocalizedText?
    /// The values, keyed by parameter name. Other parameters are left unchanged.
    public var values: [String: ParameterValue]

    enum CodingKeys: String, CodingKey, CaseIterable { case name, label, values }
}
