// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import EditingModel

/// Error messages for misspelt or invalid values.
@Suite("messages")
struct MessageTests {
    private static let manifest = """
        {
          "identifier": "com.example.x", "name": "X", "version": "1.0", "abi": "1.2",
          "library": "libX.so", "supportedMediaTypes": ["image"],
          "parameters": [
            {"name": "ä", "type": "number", "default": 1},
            {"name": "amount", "type": "number",
             "minimum": 0, "maximum": 1, "default": 0.5}
          ]
        }
        """

    @Test(
        "a manifest error names line, column and the expected value",
        arguments: [
            (
                #""amount", "type": "number""#, #""amount", "type": "float""#,
                "the manifest's \"parameters[1].type\" (line 6, column 32) must be number, "
                    + "integer, boolean, choice, color, point, rectangle, angle, text, file, "
                    + "points or curve, not \"float\""
            ),
            (
                #""default": 0.5"#, #""default": "0""#,
                "the manifest's \"parameters[1].default\" (line 7, column 45) parameter \"amount\" must be a "
                    + "number from 0 to 1, not \"0\""
            ),
            (
                #""default": 0.5"#, #""default": 5"#,
                "the manifest's \"parameters[1].default\" (line 7, column 45) parameter \"amount\" must be a "
                    + "number from 0 to 1, not 5"
            ),
            // The position is that of the incomplete object, after a letter of two bytes.
            (
                #""ä", "type": "number", "default": 1}"#, #""ä", "default": 1}"#,
                "the manifest's \"parameters[0].type\" (line 5, column 5) is missing"
            ),
            (
                #""X", "version": "1.0""#, #""X", "version": 1.0"#,
                "the manifest's \"version\" (line 2, column 58) must be a string"
            ),
            (
                #"["image"]"#, #""image""#,
                "the manifest's \"supportedMediaTypes\" (line 3, column 48) must be an array"
            ),
            (
                #"["image"]"#, #"["photo"]"#,
                "the manifest's \"supportedMediaTypes\" (line 3, column 48) must be image, "
                    + "video or audio, not \"photo\""
            ),
            (
                #""libX.so","#, #""libX.so""#,
                "the manifest is not valid JSON (line 3, column 24)"
            ),
            (
                #""name": "ä""#, #""name": "\ud800""#,
                "the manifest is not valid JSON (line 5, column 15)"
            ),
            (
                #""minimum": 0"#, #""minimum": 1e999"#,
                "the manifest is invalid: a number is too large or not a whole number"
            ),
        ])
    func manifest(good: String, bad: String, words: String) throws {
        let text = Self.manifest.replacingOccurrences(of: good, with: bad)
        #expect(text != Self.manifest)
        let error = #expect(throws: InvalidValueError.self) {
            try ExtensionManifest(json: Data(text.utf8))
        }
        #expect(error?.description == words)
    }

    @Test("the manifest used as the base of these tests is valid")
    func good() throws {
        #expect(try ExtensionManifest(json: Data(Self.manifest.utf8)).parameters.count == 2)
    }

    @Test("a truncated or deeply nested text has its position or none")
    func odd() {
        for text in ["", "{", "{\"a", "{\"a\\", "[1,", "[1 2]", "nul", "{\"a\" 1}", "\u{1}"] {
            #expect(JSONLocator.syntaxError(in: Data(text.utf8)) != nil, "\(text)")
        }
        let deep = String(repeating: "[", count: 100_000)
        #expect(JSONLocator.syntaxError(in: Data(deep.utf8)) != nil)
        for text in ["1", "[]", "{}", " {\"a\\\"\" : [1e5, -0.5, null]} ", "\"\\u00e9\""] {
            #expect(JSONLocator.syntaxError(in: Data(text.utf8)) == nil, "\(text)")
        }
    }

    @Test(
        "the closest name is suggested, if one is close",
        arguments: [
            ("exprot", "export"), ("EXPORT", "export"), ("sepai", "sepia"), ("lst", "list"),
            ("intensty", "intensity"), ("ab", "ac"), ("zzzz", nil), ("x", nil), ("", nil),
            ("exp", nil),
        ] as [(String, String?)])
    func closest(typed: String, meant: String?) {
        let names = ["list", "export", "sepia", "intensity", "ac"]
        #expect(typed.closest(among: names) == meant)
        #expect(String(repeating: "a", count: 65).closest(among: names) == nil)
        #expect(typed.closest(among: [String]()) == nil)
    }
}
