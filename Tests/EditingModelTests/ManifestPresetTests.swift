// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

/// Presets of manifests are checked like values of users.
@Suite("manifest presets")
struct ManifestPresetTests {
    private func manifest(_ presets: String) throws -> ExtensionManifest {
        let json = """
            {"identifier": "com.example.x", "name": "X", "version": "1.0", "abi": "1.0",
             "library": "libX.so", "supportedMediaTypes": ["image"], "parameters": [
              {"name": "gain", "type": "number", "minimum": 0, "maximum": 1, "default": 1},
              {"name": "colour", "type": "color", "default": "#000000"},
              {"name": "lut", "type": "file"}],
             "presets": \(presets)}
            """
        return try ExtensionManifest(json: Data(json.utf8))
    }

    @Test("a preset has a name, a label and values")
    func good() throws {
        let manifest = try manifest(
            ##"[{"name": "warm", "label": {"de": "Warm"}, "values": {"colour": "#ff0000"}}, "##
                + ##"{"name": "none", "values": {}}]"##)
        #expect(manifest.preset(named: "warm")?.values == ["colour": .string("#ff0000ff")])
        #expect(manifest.preset(named: "Warm") == nil)
        #expect(try ExtensionManifest(json: JSONEncoder().encode(manifest)) == manifest)
    }

    @Test("defaults and presets have the canonical forms of values that users set")
    func canonical() throws {
        let manifest = try manifest(
            ##"[{"name": "a", "values": {"colour": "#FFD27F", "gain": 1}}, "##
                + ##"{"name": "b", "values": {"colour": "#FfD27f80"}}]"##)
        #expect(manifest.parameter(named: "colour")?.default == .string("#000000ff"))
        #expect(manifest.parameter(named: "gain")?.default == .number(1))
        #expect(manifest.parameter(named: "lut")?.default == nil)
        #expect(
            manifest.preset(named: "a")?.values == [
                "colour": .string("#ffd27fff"), "gain": .number(1),
            ])
        #expect(manifest.preset(named: "b")?.values == ["colour": .string("#ffd27f80")])
    }

    @Test(
        "an error in a preset is named with its path",
        arguments: [
            (#"{}"#, "presets", "must be an array"), (#"[{}]"#, "presets[0].name", "is missing"),
            (#"[{"name": "a"}]"#, "presets[0].values", "is missing"),
            (#"[{"name": "", "values": {}}]"#, "presets[0].name", "1 to 255 bytes"),
            (
                #"[{"name": "a", "values": {}}, {"name": "a", "values": {}}]"#,
                "presets[1].name", "is used more than once"
            ),
            (
                #"[{"name": "a", "values": {"gian": 1}}]"#, "presets[0].values.gian",
                #"is not a parameter; did you mean "gain"?"#
            ),
            (
                #"[{"name": "a", "values": {"gain": 2}}]"#, "presets[0].values.gain",
                "a number from 0 to 1"
            ),
            (
                #"[{"name": "a", "values": {"gain": "1"}}]"#, "presets[0].values.gain",
                "a number from 0 to 1"
            ),
            (#"[{"name": "a", "values": {"gain": null}}]"#, "presets[0].values.gain", "must be"),
            (#"[{"name": "a", "values": {"gain": {}}}]"#, "presets[0].values.gain.x", "is missing"),
            (
                #"[{"name": "a", "values": {"lut": "/etc/passwd"}}]"#, "presets[0].values.lut",
                "which presets cannot set"
            ),
            (
                #"[{"name": "a", "label": {"e": "x"}, "values": {}}]"#, "presets[0].label",
                "not a language tag"
            ),
        ])
    func wrong(presets: String, key: String, words: String) {
        let error = #expect(throws: InvalidValueError.self) { try manifest(presets) }
        #expect(error?.subject == .manifestKey(key))
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test("a manifest has at most 256 presets")
    func many() throws {
        func presets(_ count: Int) -> String {
            let all = (0..<count).map { #"{"name": "p\#($0)", "values": {}}"# }
            return "[\(all.joined(separator: ","))]"
        }
        #expect(try manifest(presets(256)).presets.count == 256)
        let error = #expect(throws: InvalidValueError.self) { try manifest(presets(257)) }
        #expect(error?.subject == .manifestKey("presets"))
    }
}
