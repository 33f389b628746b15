// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import JSONOutput
import Testing

@testable import EditHostCommand

@Suite("JSON rows")
struct JSONTextTests {
    private struct Row: Encodable {
        var name = "a"
        var text: String?
        var count: Int?
        var size: Double?
        var isSet: Bool?
        var nested: [String]?
    }

    @Test("members keep their order, and missing values are null")
    func order() throws {
        let missing: String? = nil
        let row: JSONRow = ["b": 1, "a": missing, "c": [2.5, 3], "d": nil, "e": Row()]
        #expect(
            try JSONText.of(row.adding(["f": true]))
                == #"{"b":1,"a":null,"c":[2.5,3],"d":null,"e":"#
                + #"{"name":"a","text":null,"count":null,"size":null,"isSet":null,"nested":null}"#
                + #","f":true}"#)
    }

    @Test("dictionaries are sorted by key")
    func dictionaries() throws {
        let values = ["z": 1, "y": 2, "x": 3, "w": 4, "v": 5]
        #expect(try JSONText.of(values) == #"{"v":5,"w":4,"x":3,"y":2,"z":1}"#)
    }

    @Test("the values of a manifest have the form that they have in its file")
    func manifest() throws {
        let values: [ParameterValue] = [
            .number(1), .number(0.5), .integer(2), .boolean(true), .string("a"),
            .point(x: 0, y: 0.5), .points([]),
        ]
        #expect(try JSONText.of(values) == #"[1,0.5,2,true,"a",{"x":0,"y":0.5},[]]"#)
        let texts: [LocalizedText] = ["a", ["en": "a", "de": "b"]]
        #expect(try JSONText.of(texts) == #"["a",{"de":"b","en":"a"}]"#)
    }

    @Test("characters that a terminal interprets are escaped, and other numbers are null")
    func scalars() throws {
        #expect(try JSONText.of("\"\\\n\u{1B}\u{202E}ä") == #""\"\\\n\u001b\u202eä""#)
        #expect(try JSONText.of("\u{7F}\u{E0041}") == #""\u007f\udb40\udc41""#)
        #expect(try JSONText.of([Double.infinity, -0.25, 1e20]) == "[null,-0.25,1e+20]")
    }

    @Test("an escaped document has the same values, and no characters that a terminal interprets")
    func document() throws {
        let text = "\u{200F}\u{202E}\u{AD}\u{7F}\u{85}\u{2028}\u{E0041}\t\"ä"
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        let document = JSONText.escaping(
            String(decoding: try encoder.encode([text: [text]]), as: UTF8.self))
        #expect(
            document.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHiddenAtTerminal })
        let decoded = try JSONDecoder().decode([String: [String]].self, from: Data(document.utf8))
        #expect(decoded == [text: [text]])
    }
}
