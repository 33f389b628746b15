// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

/// Values as users write them, and what a parameter says of them.
@Suite("Parameters")
struct ParameterTests {
    private func parameter(
        _ type: String, _ rest: String = "", value: String = "1"
    ) throws -> ExtensionParameter {
        let json = #"{"name": "p", "type": "\#(type)", "default": \#(value)\#(rest)}"#
        return try JSONDecoder().decode(ExtensionParameter.self, from: Data(json.utf8))
    }

    @Test(
        "Texts of the right type become values",
        arguments: [
            ("number", "0.5", ParameterValue.number(0.5)), ("number", "-3", .number(-3)),
            ("angle", "12.5", .number(12.5)), ("integer", "7", .integer(7)),
            ("boolean", "true", .boolean(true)), ("text", "a b", .string("a b")),
            ("file", "/tmp/x", .string("/tmp/x")), ("color", "#A0b1C2", .string("#a0b1c2ff")),
            ("color", "#00000080", .string("#00000080")),
            ("point", "0.25,1", .point(x: 0.25, y: 1)),
            ("rectangle", "0,0.1,1,0.9", .rectangle(x: 0, y: 0.1, width: 1, height: 0.9)),
        ])
    func texts(type: String, text: String, value: ParameterValue) throws {
        #expect(try parameter(type).value(fromText: text) == value)
    }

    @Test(
        "Other texts are errors that name the parameter",
        arguments: [
            ("number", "x"), ("number", ""), ("number", "inf"), ("number", "nan"),
            ("integer", "1.5"), ("boolean", "yes"), ("color", "red"), ("color", "#12345"),
            ("color", "#gggggg"), ("point", "1"), ("point", "0,2"), ("point", "0,0,0"),
            ("point", "0,,0"), ("rectangle", "0,0,1"), ("rectangle", "0.5,0,0.6,1"),
            ("rectangle", "0,0,0,1"), ("rectangle", "0,0,-1,1"), ("rectangle", "nan,0,1,1"),
        ])
    func badTexts(type: String, text: String) throws {
        let parameter = try parameter(type)
        let error = #expect(throws: InvalidValueError.self) { try parameter.value(fromText: text) }
        #expect(error?.description.contains("\"p\"") == true)
    }

    @Test("Ranges are closed")
    func ranges() throws {
        let parameter = try parameter("number", #", "minimum": -1, "maximum": 2"#)
        #expect(try parameter.value(fromText: "-1") == .number(-1))
        #expect(try parameter.value(fromText: "2") == .number(2))
        for text in ["-1.0001", "2.0001"] {
            let error = #expect(throws: InvalidValueError.self) {
                try parameter.value(fromText: text)
            }
            #expect(error?.description.contains("from -1 to 2") == true)
        }
    }

    @Test("A choice is one of its choices")
    func choices() throws {
        let parameter = try parameter("choice", #", "choices": ["a", "b"]"#, value: #""a""#)
        #expect(try parameter.value(fromText: "b") == .string("b"))
        #expect(throws: InvalidValueError.self) { try parameter.value(fromText: "c") }
    }

    @Test("Values keep their kind as JSON")
    func json() throws {
        let values: [String: ParameterValue] = [
            "a": .number(0.5), "b": .integer(3), "c": .boolean(false), "d": .string("x"),
            "e": .point(x: 0.25, y: 0.5), "f": .rectangle(x: 0, y: 0, width: 0.5, height: 1),
        ]
        let data = try JSONEncoder().encode(values)
        #expect(try JSONDecoder().decode([String: ParameterValue].self, from: data) == values)
    }
}
