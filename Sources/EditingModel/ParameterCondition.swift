// SPDX-License-Identifier: Apache-2.0

/// A condition for showing a parameter in a form: another parameter has one of several values.
///
/// In a manifest: `{"parameter": "mode", "in": ["split"]}`.
public struct ParameterCondition: Codable, Hashable, Sendable {
    /// The name of the other parameter: a boolean, a choice or an integer.
    public var parameter: String
    /// The values of the other parameter that meet the condition.
    public var values: [ParameterValue]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case parameter
        case values = "in"
    }
}
