// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

/// Manifests are read without loading code, and errors name what is invalid.
@Suite("manifests")
struct ManifestTests {
    private let least: [String: Any] = [
        "identifier": "com.example.x", "name": "X", "version": "1.0", "abi": "1.2",
        "library": "libX.so", "supportedMediaTypes": ["image"],
    ]

    private func manifest(_ changes: [String: Any] = [:]) throws -> ExtensionManifest {
        let keys = least.merging(changes) { _, changed in changed }
            .filter { !($0.value is NSNull) }
        return try ExtensionManifest(json: JSONSerialization.data(withJSONObject: keys))
    }

    @Test("a minimal manifest has the documented defaults")
    func defaults() throws {
        let manifest = try manifest(["unknownKey": 1])
        #expect(manifest.supportedMediaTypes == [.image])
        #expect(manifest.pixelFormats == PixelFormat.allCases)
        #expect(manifest.access == .sequential)
        #expect(!manifest.contentBound && !manifest.expensive)
        #expect(manifest.parameters.isEmpty && manifest.reads.isEmpty)
        #expect(try #require(manifest.abiVersion) == (1, 2))
    }

    @Test("publisher and purpose are optional and survive encoding")
    func catalogueEntry() throws {
        let manifest = try manifest([
            "vendor": "Example", "author": "Ada", "homepage": "HTTPS://example.org/look",
            "support": "mailto:help@example.org", "license": "MIT",
            "description": ["en": "Adds a look.", "de": "Ein Look."], "categories": ["color"],
            "icon": "icon.png",
        ])
        #expect(manifest.vendor == "Example" && manifest.author == "Ada")
        #expect(manifest.homepage == "HTTPS://example.org/look" && manifest.license == "MIT")
        #expect(manifest.support == "mailto:help@example.org" && manifest.icon == "icon.png")
        #expect(manifest.description == ["en": "Adds a look.", "de": "Ein Look."])
        #expect(manifest.categories == ["color"])
        let decoded = try ExtensionManifest(json: JSONEncoder().encode(manifest))
        #expect(decoded == manifest)
    }

    @Test("identifier and version decide whether a format is read")
    func reads() throws {
        let manifest = try manifest([
            "reads": [["formatIdentifier": "a.b", "formatVersions": ["1", "2"]]],
            "upgrades": [["formatIdentifier": "c.d"]],
        ])
        func data(_ identifier: String, _ version: String) throws -> AdjustmentData {
            AdjustmentData(
                formatIdentifier: identifier, formatVersion: version, data: Data([0]))
        }
        #expect(try manifest.declaresReading(data("a.b", "2")))
        #expect(try !manifest.declaresReading(data("a.b", "3")))
        #expect(try manifest.declaresReading(data("c.d", "anything")))
        #expect(try !manifest.declaresReading(data("e.f", "1")))
    }

    @Test("data can be found again in recipes whose format is both written and upgraded")
    func data() throws {
        let manifest = try manifest([
            "writes": [["formatIdentifier": "a.b", "formatVersions": ["2", "3"]]],
            "upgrades": [["formatIdentifier": "a.b", "formatVersions": ["1", "2"]]],
        ])
        for (version, expected) in [("1", false), ("2", true), ("3", false)] {
            let recipe = AdjustmentData(
                formatIdentifier: "a.b", formatVersion: version, data: Data([0]))
            #expect(manifest.canRefreshPhotoData(of: recipe) == expected)
        }
    }

    @Test(
        "each missing required key is named",
        arguments: ["identifier", "name", "version", "abi", "library", "supportedMediaTypes"])
    func missing(key: String) {
        let error = #expect(throws: InvalidValueError.self) { try manifest([key: NSNull()]) }
        #expect(error?.subject == .manifestKey(key))
        #expect(error?.description.contains("is missing") == true)
    }

    @Test("invalid values are named")
    func wrong() throws {
        let cases: [(String, Any)] = [
            ("identifier", "nodots"), ("identifier", ""), ("name", "a\u{7}b"), ("abi", "1"),
            ("abi", "one.two"), ("library", "../x.so"), ("library", "a/b.so"), ("library", 3),
            ("supportedMediaTypes", []), ("supportedMediaTypes", ["hologram"]),
            ("pixelFormats", []), ("pixelFormats", ["rgb9"]), ("access", "diagonal"),
            ("hashedFiles", ["/etc/passwd"]), ("parameters", "none"),
        ]
        for (key, value) in cases {
            let error = #expect(throws: InvalidValueError.self) { try manifest([key: value]) }
            #expect(error?.subject?.name.hasPrefix(key) == true, "\(key): \(error?.message ?? "")")
        }
    }

    @Test(
        "names reject line breaks, control characters and direction overrides",
        arguments: [
            "\0", "\t", "\n", "\u{1B}", "\u{7F}", "\u{80}", "\u{85}", "\u{9F}", "\u{61C}",
            "\u{200E}",
            "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}",
        ])
    func unfitCharacters(text: String) throws {
        let name = "a.b\(text)c"
        let boolean: [String: Any] = ["name": name, "type": "boolean", "default": true]
        let choice: [String: Any] = [
            "name": "a", "type": "choice", "choices": [name], "default": name,
        ]
        let cases: [(String, Any)] = [
            ("identifier", name), ("name", name), ("version", name), ("library", name),
            ("hashedFiles", [name]), ("parameters", [boolean]), ("parameters", [choice]),
            ("presets", [["name": name, "values": [:]]]),
            ("reads", [["formatIdentifier": name]]), ("writes", [["formatIdentifier": name]]),
        ]
        for (key, value) in cases {
            let error = #expect(throws: InvalidValueError.self) { try manifest([key: value]) }
            #expect(error?.subject?.name.hasPrefix(key) == true, "\(key): \(error?.message ?? "")")
        }
    }

    @Test(
        "names may have spaces, quotes, accents, joined emoji and any script",
        arguments: [
            "a $(b) `c`", "it's \"so\"", "e\u{301}", "👩\u{200D}🚀", "می\u{200C}خواهم", "שלום",
        ])
    func fitCharacters(text: String) throws {
        let name = "a.\(text)"
        let manifest = try manifest([
            "identifier": name, "name": text,
            "parameters": [["name": text, "type": "boolean", "default": true]],
        ])
        #expect(manifest.identifier == name && manifest.parameters[0].name == text)
    }

    @Test("a parameter name has no equals sign, not even one with an accent")
    func equalsSign() throws {
        for name in ["a=b", "a=", "a=\u{301}b"] {
            let parameter: [String: Any] = ["name": name, "type": "boolean", "default": true]
            let error = #expect(throws: InvalidValueError.self) {
                try manifest(["parameters": [parameter]])
            }
            #expect(error?.subject == .manifestKey("parameters[0].name"))
        }
    }

    @Test("parameter errors are named with their path")
    func parameters() throws {
        func error(_ parameter: [String: Any]) -> InvalidValueError? {
            #expect(throws: InvalidValueError.self) {
                try manifest([
                    "parameters": [["name": "a", "type": "boolean", "default": true], parameter]
                ])
            }
        }
        let cases: [([String: Any], String)] = [
            (["name": "a", "type": "boolean", "default": true], "name"),
            (["name": "b", "type": "number"], "default"),
            (["name": "b", "type": "number", "default": 5, "maximum": 4], "default"),
            (["name": "b", "type": "choice", "default": "x"], "choices"),
            (["name": "b", "type": "number", "default": 1, "minimum": 2, "maximum": 1], "minimum"),
            (["name": "b", "type": "nonsense", "default": 1], "type"),
            (["name": "b", "type": "curve", "default": [[0, 0]]], "default"),
            (["name": "b", "type": "points", "default": [], "minimumCount": -1], "minimumCount"),
            (["name": "b", "type": "points", "default": [], "maximumCount": 5000], "maximumCount"),
            (
                [
                    "name": "b", "type": "points", "default": [], "minimumCount": 3,
                    "maximumCount": 2,
                ],
                "minimumCount"
            ),
            (["name": "b", "type": "curve", "default": [], "maximumCount": 1], "maximumCount"),
            (["name": "b", "type": "number", "default": 1, "role": "crop"], "role"),
            (["name": "b", "type": "number", "default": 1, "role": "straighten"], "role"),
            (["name": "b", "type": "angle", "default": 1, "role": "timeEnd"], "role"),
            (["name": "b", "type": "number", "default": 1, "role": "automatic"], "role"),
            (["name": "b", "type": "number", "default": 1, "role": 5], "role"),
        ]
        for (parameter, key) in cases {
            #expect(error(parameter)?.subject == .manifestKey("parameters[1].\(key)"))
        }
    }

    @Test("a role is kept if it is known or unknown, and a known one can be used once")
    func roles() throws {
        func parameter(_ name: String, _ role: String) -> [String: Any] {
            ["name": name, "type": "number", "default": 1, "role": role]
        }
        let found = try manifest([
            "parameters": [
                parameter("a", "timeStart"), parameter("b", "timeEnd"), parameter("c", "other"),
                parameter("d", "other"), ["name": "e", "type": "boolean", "default": true],
            ]
        ])
        #expect(
            found.parameters.map(\.role?.rawValue)
                == ["timeStart", "timeEnd", "other", "other", nil])
        #expect(found.parameters[0].role == .timeStart)
        let error = #expect(throws: InvalidValueError.self) {
            try manifest(["parameters": [parameter("a", "timeEnd"), parameter("b", "timeEnd")]])
        }
        #expect(error?.subject == .manifestKey("parameters[1].role"))
    }

    @Test("unknown and misspelt keys are named with their path and a suggestion")
    func unknownKeys() throws {
        let json = """
            {"identifier": "com.example.x", "name": "X", "version": "1.0", "abi": "1.0",
             "library": "libX.so", "supportedMediaTypes": ["image"], "$schema": "s.json",
             "pixelFormat": ["rgb8"], "zones": {"parameters": 1},
             "reads": [{"formatIdentifier": "a.b", "formatVersion": ["1"]}],
             "parameters": [
               {"name": "a", "type": "number", "default": 1},
               {"name": "b", "type": "number", "default": 1, "minimun": 0}]}
            """
        let found = ExtensionManifest.unknownKeys(in: Data(json.utf8))
        #expect(
            found.map(\.subject?.name) == [
                "parameters[1].minimun", "pixelFormat", "reads[0].formatVersion", "zones",
            ])
        #expect(found.map(\.position?.line) == [7, 3, 4, 3])
        #expect(found[0].description.contains("did you mean \"minimum\"?"))
        #expect(found[1].description.contains("did you mean \"pixelFormats\"?"))
        #expect(found[2].description.contains("did you mean \"formatVersions\"?"))
        #expect(!found[3].description.contains("did you mean"))
        #expect(try ExtensionManifest(json: Data(json.utf8)).parameters.count == 2)
    }

    @Test("of many unknown keys the first are named; a non-manifest has none")
    func manyUnknownKeys() throws {
        let many = Dictionary(uniqueKeysWithValues: (1000..<2000).map { ("key\($0)", $0) })
        let json = try JSONSerialization.data(withJSONObject: many)
        let names = ExtensionManifest.unknownKeys(in: json).map(\.subject?.name)
        #expect(names == (1000..<1020).map { "key\($0)" })
        for text in ["", "[", "[1]", "3", #"{"reads": {}}"#] {
            #expect(ExtensionManifest.unknownKeys(in: Data(text.utf8)).isEmpty, "\(text)")
        }
    }

    @Test("bytes that are not a manifest are an error, never a crash")
    func garbage() throws {
        var random = SeededGenerator(seed: TestSeed.seed())
        for length in [0, 1, 2, 100, 5000] {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(throws: InvalidValueError.self) {
                try ExtensionManifest(json: Data(bytes))
            }
        }
        #expect(throws: InvalidValueError.self) {
            try ExtensionManifest(json: Data(count: ExtensionManifest.maximumSize + 1))
        }
    }

    @Test("a manifest round-trips")
    func roundTrip() throws {
        let manifest = try manifest([
            "parameters": [["name": "a", "type": "integer", "default": 3]], "expensive": true,
        ])
        #expect(try ExtensionManifest(json: JSONEncoder().encode(manifest)) == manifest)
    }
}
