// SPDX-License-Identifier: Apache-2.0

import RunnerHost

/// The resource limits of extensions, as in the user's configuration file: by `default` or the identifier of an
/// extension, then by the name of the limit. Limits that are missing are built in.
package struct WorkBudgets: Codable, Equatable, Sendable {
    private static let standard = "default"

    private let values: [String: [String: Int]]

    package init(_ budgets: ExtensionBudgets) {
        let standard = Self.differences(of: budgets.standard, from: ExtensionBudget())
        var values = standard.isEmpty ? [:] : [Self.standard: standard]
        for (identifier, budget) in budgets.extensions {
            values[identifier] = Self.differences(of: budget, from: budgets.standard)
        }
        self.values = values
    }

    package init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: [String: Int]].self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }

    /// The limits.
    ///
    /// - Throws: `HostError` with `badInput` if a limit is unknown or out of range.
    package var budgets: ExtensionBudgets {
        get throws {
            var budgets = ExtensionBudgets()
            budgets.standard = try Self.budget(values[Self.standard] ?? [:], budgets.standard)
            for (identifier, values) in values where identifier != Self.standard {
                budgets.extensions[identifier] = try Self.budget(values, budgets.standard)
            }
            return budgets
        }
    }

    private static func budget(
        _ values: [String: Int], _ standard: ExtensionBudget
    ) throws -> ExtensionBudget {
        var budget = standard
        for (name, value) in values {
            guard let part = ExtensionBudget.Part(rawValue: name), part.range.contains(value)
            else { throw HostError(.badInput, "the plan has an invalid budget: \(name)") }
            budget.set(part, to: value)
        }
        return budget
    }

    private static func differences(
        of budget: ExtensionBudget, from standard: ExtensionBudget
    ) -> [String: Int] {
        var values: [String: Int] = [:]
        for part in ExtensionBudget.Part.allCases {
            let value = budget.value(of: part)
            if value != standard.value(of: part) { values[part.rawValue] = value }
        }
        return values
    }
}

extension ExtensionBudget {
    /// Returns a limit as it is configured; `nil` if there is none.
    fileprivate func value(of part: Part) -> Int? {
        switch part {
        case .memory: Int(clamping: memory)
        case .processorTime: processorSeconds
        case .wallClock: wallClock.map { Int(clamping: $0.components.seconds) }
        case .output: Int(clamping: outputBytes)
        case .threads: threads
        case .files: files
        }
    }
}
