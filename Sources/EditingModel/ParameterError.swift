// SPDX-License-Identifier: Apache-2.0

/// Why a value does not suit a parameter.
public struct ParameterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The parameter's name.
    public let parameter: String
    /// What is wrong, and what would be right.
    public let problem: String

    /// Makes an error.
    public init(parameter: String, problem: String) {
        self.parameter = parameter
        self.problem = problem
    }

    /// A sentence for people.
    public var description: String { "parameter \"\(parameter)\" \(problem)" }
}
