// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

/// Texts of manifests in several languages, and the selection of one for a user.
@Suite("localized texts")
struct LocalizedTextTests {
    private static let colour = LocalizedText.texts([
        "en": "Color", "en-GB": "Colour", "de": "Farbe", "zh-Hant": "色", "PT-br": "Cor",
    ])

    @Test(
        "lookup follows RFC 4647, then falls back to English",
        arguments: [
            (["de"], "Farbe"), (["de-AT"], "Farbe"), (["DE-at"], "Farbe"), (["en-gb"], "Colour"),
            (["en-GB-oed"], "Colour"), (["en-US"], "Color"), (["zh-Hant-TW"], "色"),
            // A tag that is longer than the range does not match.
            (["zh"], "Color"), (["pt-BR"], "Cor"), (["pt"], "Color"), ([], "Color"),
            (["fr"], "Color"), (["fr", "de"], "Farbe"), (["fr", "de-CH", "en-GB"], "Farbe"),
            // A part of one letter is removed together with the one after it.
            (["de-a-x"], "Farbe"), (["zh-Hant-x-y"], "色"), ([""], "Color"), (["-", "--"], "Color"),
        ])
    func lookup(languages: [String], text: String) {
        #expect(Self.colour.text(for: languages) == text)
    }

    @Test(
        "without English the first tag is used; a text without a language fits all")
    func first() {
        #expect(LocalizedText.texts(["fr": "f", "de": "d"]).text(for: ["it"]) == "d")
        #expect(LocalizedText.text("x").text(for: ["it"]) == "x")
        #expect(LocalizedText.texts([:]).text(for: ["it"]) == "")
    }

    @Test(
        "the user's languages come from the environment",
        arguments: [
            (["LANG": "de_AT.UTF-8"], ["de-AT"]),
            (["LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": ""], ["fr-FR"]),
            (["LANG": "de_DE", "LC_ALL": "it"], ["it"]),
            (["LANG": "C", "LANGUAGE": "de"], []), (["LANG": "C.UTF-8"], []),
            (["LC_ALL": "POSIX", "LANG": "de_DE"], []), ([:], []), (["LANG": ""], []),
            (["LANGUAGE": "sv:de_DE:sv"], ["sv", "de-DE"]),
            (["LANGUAGE": "sv:C:de", "LANG": "en_GB.UTF-8"], ["sv", "en-GB"]),
            (["LANG": "sr_RS@latin"], ["sr-Latn-RS"]), (["LANG": "de_DE@euro"], ["de-DE"]),
            (["LANG": "ca_ES.UTF-8@valencia"], ["ca-ES-valencia"]),
            (["LANG": "../../etc"], []), (["LANG": "de_\u{e9}"], []), (["LANG": "@"], []),
            (["LANG": "_DE"], []), (["LANG": "toolonglanguage"], []),
        ])
    func environment(variables: [String: String], tags: [String]) {
        #expect(UserLanguages.preferred(in: variables) == tags)
    }

    private func parameter(_ rest: String) throws -> ExtensionManifest {
        let json = """
            {"identifier": "com.example.x", "name": "X", "version": "1.0", "abi": "1.0",
             "library": "libX.so", "supportedMediaTypes": ["image"],
             "parameters": [{"name": "a", "type": "choice", "default": "a", \(rest)}]}
            """
        return try ExtensionManifest(json: Data(json.utf8))
    }

    @Test(
        "invalid texts are named",
        arguments: [
            (#""choices": ["a"], "label": 3"#, "label", "must be a string, or an object"),
            (#""choices": ["a"], "label": {"en": 3}"#, "label", "must be a string, or an object"),
            (#""choices": ["a"], "help": ["en"]"#, "help", "must be a string, or an object"),
            (#""choices": ["a"], "group": {}"#, "group", "has no text"),
            (
                #""choices": ["a"], "label": {"de_DE": "x"}"#, "label",
                #"has "de_DE", which is not a language tag (BCP 47); did you mean "de-DE"?"#
            ),
            (#""choices": ["a"], "label": {"": "x"}"#, "label", "not a language tag"),
            (#""choices": ["a"], "label": {"de": "x", "DE": "y"}"#, "label", "de more than once"),
            (#""choices": ["a", "a"]"#, "choices[1]", "is used more than once"),
            (#""choices": []"#, "choices", "missing or empty"),
            (#""choices": [3]"#, "choices[0]", "must be an object"),
            (#""choices": [{"label": "x"}]"#, "choices[0].value", "is missing"),
            (
                #""choices": [{"value": "a", "label": {"x": "y"}}]"#, "choices[0].label",
                "not a language tag"
            ),
        ])
    func wrong(rest: String, key: String, words: String) {
        let error = #expect(throws: InvalidValueError.self) { try parameter(rest) }
        #expect(error?.subject == .manifestKey("parameters[0].\(key)"))
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test("choices are strings or have labels; unknown keys in them are named")
    func choices() throws {
        let rest = #""choices": ["a", {"value": "b", "label": {"de": "B"}, "lable": 1}]"#
        let manifest = try parameter(rest)
        #expect(manifest.parameters[0].choiceValues == ["a", "b"])
        #expect(try manifest.parameters[0].value(fromText: "b") == .string("b"))
        let encoded = try JSONEncoder().encode(manifest)
        #expect(try ExtensionManifest(json: encoded) == manifest)
        let json = Data(#"{"parameters": [{\#(rest)}]}"#.utf8)
        let found = ExtensionManifest.unknownKeys(in: json)
        #expect(found.map(\.subject?.name) == ["parameters[0].choices[1].lable"])
    }

    @Test("groups keep the order of their first parameter, with the unnamed group first")
    func groups() throws {
        func parameter(_ name: String, _ group: String?) -> String {
            #"{"name": "\#(name)", "type": "boolean", "default": true"#
                + (group.map { #", "group": \#($0)}"# } ?? "}")
        }
        let parameters = [
            parameter("a", #"{"en": "Tone", "de": "Ton"}"#), parameter("b", #""Shape""#),
            parameter("c", nil), parameter("d", #""Tone""#), parameter("e", #""Shape""#),
        ].joined(separator: ",")
        let json = """
            {"identifier": "com.example.x", "name": "X", "version": "1.0", "abi": "1.0",
             "library": "libX.so", "supportedMediaTypes": ["image"], "parameters": [\(parameters)]}
            """
        let groups = try ExtensionManifest(json: Data(json.utf8)).parameterGroups
        #expect(groups.map { $0.title?.text(for: ["de"]) } == [nil, "Ton", "Shape"])
        #expect(groups.map { $0.parameters.map(\.name) } == [["c"], ["a", "d"], ["b", "e"]])
    }
}
