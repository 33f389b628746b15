// SPDX-License-Identifier: Apache-2.0

import EditingModel
import JSONOutput

extension ExtensionParameter {
    /// Returns the row of the parameter in a table.
    func cells(in languages: [String]) -> [String] {
        // The values of an angle already contain the unit.
        let unit = type == .angle ? "" : unit.map { " \($0)" } ?? ""
        return [
            name, label?.text(for: languages) ?? "", takes(in: languages) + unit,
            self.default?.text ?? "-", meaning(in: languages),
        ]
    }

    /// Returns the help text and the condition of the parameter.
    private func meaning(in languages: [String]) -> String {
        let condition = visibleWhen.map { condition in
            "only when \(condition.parameter) is \(condition.values.map(\.text).alternatives)"
        }
        return [help?.text(for: languages), condition].compactMap(\.self).joined(separator: " ")
    }

    /// Returns the accepted values, with labels for a choice.
    private func takes(in languages: [String]) -> String {
        guard type == .choice, let choices else { return expectation }
        let texts = choices.map { choice in
            choice.value + (choice.label.map { " (\($0.text(for: languages)))" } ?? "")
        }
        return "one of " + texts.joined(separator: ", ")
    }
}
