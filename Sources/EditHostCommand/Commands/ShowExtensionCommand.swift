// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel

/// `edithost extensions show`
struct ShowExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what an extension declares, and its parameters.",
        examples: """
            edithost extensions show croprotate
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or the unique last part of it.",
            valueName: "extension"),
        completion: .installedExtension)
    var name: String

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await general.withHost { host in
            let installed = try host.extensions.catalogue.installed(named: name)
            let standing = host.standing(of: installed)
            let facts =
                installed.jsonMembers(reason: installed.reason) + (standing?.jsonMembers ?? [])
            let output = general.output
            let manifest = installed.manifest
            try output.printJSON(.object(facts + (manifest?.jsonMembers ?? [])))
            try output.printText(
                [
                    "identifier  \(installed.identifier)", "path        \(installed.path)",
                    "trusted     \(standing?.trustText ?? "-")",
                ] + (standing?.quarantineLines ?? []) + (manifest?.lines ?? []))
        }
    }
}

extension ExtensionStanding {
    fileprivate var quarantineLines: [String] {
        guard let failures else { return [] }
        let state = isQuarantined ? "in quarantine after" : "not in quarantine, but"
        return ["quarantine  \(state) \(failures.failures) failures: \(failures.reason)".printable]
    }
}

extension ExtensionManifest {
    fileprivate var jsonMembers: [(key: String, value: JSONValue)] {
        [
            ("abi", .string(abi)),
            ("minimumHost", JSONValue(minimumHost)),
            ("supportedMediaTypes", .array(supportedMediaTypes.map { .string($0.name) })),
            ("reads", .array(reads.map { .string($0.text) })),
            ("writes", .array(writes.map { .string($0.text) })),
            ("upgrades", .array(upgrades.map { .string($0.text) })),
            ("access", .string(access.rawValue)),
            ("contentBound", .boolean(contentBound)),
            ("expensive", .boolean(expensive)),
            ("parameters", .array(parameters.map(\.json))),
        ]
    }

    fileprivate var lines: [String] {
        var table = TextTable(["parameter", "takes", "default", "meaning"])
        for parameter in parameters {
            // An angle says its unit itself.
            let unit = parameter.type == .angle ? "" : parameter.unit.map { " \($0)" } ?? ""
            table.add([
                parameter.name, parameter.expectation + unit, parameter.default?.text ?? "-",
                parameter.help ?? parameter.label ?? "",
            ])
        }
        return [
            "name        \(name)",
            "version     \(version)",
            "contract    \(abi)",
            "edits       \(supportedMediaTypes.map(\.name).joined(separator: ", "))",
            "reads       \(reads.map(\.text).joined(separator: ", "))",
            "writes      \(writes.map(\.text).joined(separator: ", "))",
        ] + (parameters.isEmpty ? ["", "no parameters"] : [""] + table.lines)
    }
}

extension AdjustmentFormat {
    /// The format, and its versions where not all are meant.
    fileprivate var text: String {
        ([formatIdentifier] + (formatVersions ?? [])).joined(separator: " ")
    }
}

extension ExtensionParameter {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "type": .string(type.rawValue), "label": JSONValue(label),
            "help": JSONValue(help), "minimum": JSONValue(minimum), "maximum": JSONValue(maximum),
            "step": JSONValue(step), "unit": JSONValue(unit),
            "choices": choices.map { .array($0.map(JSONValue.string)) } ?? .null,
            "default": self.default?.json ?? .null,
        ]
    }
}

extension ParameterValue {
    fileprivate var json: JSONValue {
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

    /// The value as `--set` takes it.
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
