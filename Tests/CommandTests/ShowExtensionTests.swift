// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The parameters that `extensions show` prints.
@Suite("extensions show")
struct ShowExtensionTests {
    /// A workbench with an adder whose manifest has some changes.
    static func bench(_ changes: [String: Any]) throws -> Workbench {
        let bench = try Workbench()
        try TestExtension.buildAdder(manifest: changes, in: bench.folder.file("extensions"))
        return bench
    }

    /// The lines of the parameter table and after it.
    static func table(_ text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Array(lines.drop { !$0.hasPrefix("PARAMETER") }.dropLast())
    }

    private static var tone: [String: Any] { ["en": "Tone", "de": "Ton"] }

    private static var parameters: [[String: Any]] {
        [
            [
                "name": "amount", "type": "number", "minimum": 0, "maximum": 1, "default": 0.5,
                "label": ["en": "Amount", "de": "Menge"], "group": tone, "unit": "EV",
                "help": ["en": "How much.", "de": "Wie viel."],
            ],
            [
                "name": "mode", "type": "choice", "default": "one", "group": "Other\u{1b}",
                "choices": ["one", ["value": "two", "label": ["en": "Two", "de": "Zwei"]]],
            ],
            ["name": "late", "type": "boolean", "default": true, "group": "Tone"],
        ]
    }

    @Test("conditional parameters show their condition and can always be set")
    func conditions() throws {
        var parameters = Self.parameters
        parameters[0]["visibleWhen"] = ["parameter": "mode", "in": ["one", "two"]]
        parameters[2]["visibleWhen"] = ["parameter": "mode", "in": ["two"]]
        let bench = try Self.bench(["parameters": parameters])
        let lines = Self.table(try bench.run("extensions", "show", "adder").output)
        #expect(lines.contains { $0.hasSuffix("How much. only when mode is one or two") })
        #expect(lines.contains { $0.hasSuffix("true     only when mode is two") })
        let id = try bench.importPicture()
        let edited = try bench.run("edit", id, "--with", "adder", "--set", "late=false")
        #expect(edited.status == 0, "\(edited.errors)")
        let object = try #require(try bench.json("extensions", "show", "adder").first)
        let shown = try #require(object["parameters"] as? [[String: Any]])
        let condition = try #require(shown[2]["visibleWhen"] as? [String: Any])
        #expect(condition["parameter"] as? String == "mode")
        #expect(condition["in"] as? [String] == ["two"])
        #expect(shown[1]["visibleWhen"] is NSNull)
    }

    @Test("an extension that is not installed is shown by the path of its folder")
    func folders() throws {
        let bench = try Workbench()
        let source = bench.folder.file("source")
        try TestExtension.buildAdder(in: source)
        let path = "\(source)/adder.editingextension"
        // The command runs in the folder of the workbench.
        for name in [path, source, "source", "./source", "source/adder.editingextension"] {
            let row = try #require(try bench.json("extensions", "show", name).first, "\(name)")
            #expect(row["identifier"] as? String == "org.example.adder", "\(name)")
            #expect((row["path"] as? String)?.hasSuffix("/source/adder.editingextension") == true)
        }
        #expect(try bench.run("extensions", "show", "adder").status == 69)
        #expect(try bench.run("extensions", "show", "missing/adder").status == 66)
        // An installed extension precedes a folder with its name.
        try TestExtension.buildAdder("org.example.source", in: bench.folder.file("extensions"))
        let row = try #require(try bench.json("extensions", "show", "source").first)
        #expect(row["identifier"] as? String == "org.example.source")
    }

    @Test("publisher and purpose are shown; control characters are rejected")
    func publisher() throws {
        let bench = try Self.bench([
            "vendor": "Example", "homepage": "https://example.org/",
            "description": ["en": "Adds.", "de": "Addiert."], "categories": ["color", "test"],
        ])
        for command in [["list"], ["show", "adder"]] {
            let rows = try bench.json(["extensions"] + command)
            let row = try #require(
                rows.first { $0["identifier"] as? String == "org.example.adder" })
            #expect(row["vendor"] as? String == "Example")
            #expect(row["author"] is NSNull)
            #expect(row["homepage"] as? String == "https://example.org/")
            #expect(row["description"] as? [String: String] == ["en": "Adds.", "de": "Addiert."])
            #expect(row["categories"] as? [String] == ["color", "test"])
        }
        let shown = try bench.run("extensions", "show", "adder").output
        #expect(shown.contains("homepage    https://example.org/\n"))
        #expect(shown.contains("categories  color, test\n"))

        let broken = try Self.bench(["vendor": "a\u{1b}b"])
        let result = try broken.run("extensions", "show", "adder")
        #expect(result.status == 69 && result.errors.contains("\"vendor\""))
    }

    @Test("parameters are grouped and in the user's language; JSON has all languages")
    func languages() throws {
        let bench = try Self.bench(["parameters": Self.parameters])
        func shown(_ locale: String) throws -> [String] {
            let result = try bench.run(
                "extensions", "show", "adder",
                environment: ["LC_ALL": locale, "LANGUAGE": nil, "LC_MESSAGES": nil])
            #expect(result.status == 0, "\(result.errors)")
            return Self.table(result.output)
        }
        #expect(
            try shown("de_AT.UTF-8") == [
                "PARAMETER  LABEL  TAKES                    DEFAULT  MEANING",
                "",
                "Ton",
                "amount     Menge  a number from 0 to 1 EV  0.5      Wie viel.",
                "late              true or false            true",
                "",
                "Other\\u{1b}",
                "mode              one of one, two (Zwei)   one",
            ])
        #expect(try shown("C").contains { $0.hasSuffix("How much.") })
        #expect(try shown("fr_FR").contains("Tone"))

        let object = try #require(try bench.json("extensions", "show", "adder").first)
        let parameters = try #require(object["parameters"] as? [[String: Any]])
        #expect(parameters[0]["label"] as? [String: String] == ["en": "Amount", "de": "Menge"])
        #expect(parameters[0]["group"] as? [String: String] == ["en": "Tone", "de": "Ton"])
        #expect(parameters[2]["group"] as? String == "Tone")
        #expect(parameters[2]["label"] is NSNull)
        let choices = try #require(parameters[1]["choices"] as? [Any])
        #expect(choices[0] as? String == "one")
        #expect((choices[1] as? [String: Any])?["value"] as? String == "two")
    }
}
