// SPDX-License-Identifier: Apache-2.0

import EditingModel

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

    /// The declaration in the manifest as JSON.
    var json: JSONValue {
        [
            "name": .string(name), "type": .string(type.rawValue), "label": label.json,
            "help": help.json, "group": group.json, "minimum": JSONValue(minimum),
            "maximum": JSONValue(maximum), "minimumCount": JSONValue(minimumCount),
            "maximumCount": JSONValue(maximumCount), "step": JSONValue(step),
            "unit": JSONValue(unit), "choices": choices.map { .array($0.map(\.json)) } ?? .null,
            "visibleWhen": visibleWhen?.json ?? .null, "default": self.default?.json ?? .null,
        ]
    }
}

extension ParameterCondition {
    fileprivate var json: JSONValue {
        ["parameter": .string(parameter), "in": .array(values.map(\.json))]
    }
}

extension ParameterChoice {
    fileprivate var json: JSONValue {
        label == nil ? .string(value) : ["value": .string(value), "label": label.json]
    }
}
