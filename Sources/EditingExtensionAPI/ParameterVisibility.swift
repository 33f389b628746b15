// SPDX-License-Identifier: Apache-2.0

/// A condition under which a form shows a parameter: another parameter has one of the given values.
public struct ParameterVisibility: Encodable, Sendable {
    let parameter: String
    let values: [ParameterValue]

    private enum CodingKeys: String, CodingKey {
        case parameter
        case values = "in"
    }

    /// Shows the parameter while a Boolean has a value.
    public static func when(_ parameter: String, is value: Bool) -> ParameterVisibility {
        ParameterVisibility(parameter: parameter, values: [.boolean(value)])
    }

    /// Shows the parameter while a choice has one of the given values.
    public static func when(_ parameter: String, in values: [String]) -> ParameterVisibility {
        ParameterVisibility(parameter: parameter, values: values.map { .string($0) })
    }

    /// Shows the parameter while an integer has one of the given values.
    public static func when(_ parameter: String, in values: [Int]) -> ParameterVisibility {
        ParameterVisibility(parameter: parameter, values: values.map { .integer($0) })
    }
}
