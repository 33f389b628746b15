// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ExtensionManifest {
    /// Returns a table of the parameters by group, in the user's language.
    func parameterLines(in languages: [String]) -> [String] {
        guard !parameters.isEmpty else { return ["", "no parameters"] }
        var table = TextTable(["parameter", "label", "takes", "default", "meaning"])
        for group in parameterGroups {
            if let title = group.title { table.add(title: title.text(for: languages)) }
            for parameter in group.parameters { table.add(parameter.cells(in: languages)) }
        }
        return [""] + table.lines
    }

    /// Returns a table of the presets; empty if there are none.
    func presetLines(in languages: [String]) -> [String] {
        guard !presets.isEmpty else { return [] }
        var table = TextTable(["preset", "label", "sets"])
        for preset in presets {
            let values = parameters.compactMap { parameter in
                preset.values[parameter.name].map { "\(parameter.name)=\($0.text)" }
            }
            table.add([
                preset.name, preset.label?.text(for: languages) ?? "",
                values.joined(separator: " "),
            ])
        }
        return [""] + table.lines
    }
}

extension ExtensionParameter {
    fileprivate func cells(in languages: [String]) -> [String] {
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

extension ParameterPreset {
    /// The declaration in the manifest as JSON.
    var json: JSONValue {
        let values = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }
        return ["name": .string(name), "label": label.json, "values": .object(values)]
    }
}

extension ParameterChoice {
    fileprivate var json: JSONValue {
        label == nil ? .string(value) : ["value": .string(value), "label": label.json]
    }
}

extension LocalizedText? {
    /// The text as JSON: a string, or an object that maps languages to texts; null if missing.
    var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .texts(let texts):
            .object(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        case nil: .null
        }
    }
}

extension ParameterValue {
    var json: JSONValue {
        switch self {
        case .number(let number): .number(number)
        case .integer(let integer): .integer(integer)
        case .boolean(let boolean): .boolean(boolean)
        case .string(let string): .string(string)
        case .point(let x, let y): ["x": .number(x), "y": .number(y)]
        case .rectangle(let x, let y, let width, let height):
            [
                "x": .number(x), "y": .number(y), "width": .number(width),
                "height": .number(height),
            ]
        case .points(let points):
            .array(points.map { .array([.number($0.x), .number($0.y)]) })
        }
    }

    /// The value in the syntax of `--set`.
    var text: String {
        switch self {
        case .string(let string): string
        case .point(let x, let y): Self.list([x, y])
        case .rectangle(let x, let y, let width, let height): Self.list([x, y, width, height])
        case .number, .integer, .boolean, .points: json.text
        }
    }

    private static func list(_ numbers: [Double]) -> String {
        numbers.map { JSONValue.number($0).text }.joined(separator: ",")
    }
}
