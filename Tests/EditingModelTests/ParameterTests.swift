// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

/// Values as users write them, and their checks by parameters.
@Suite("parameters")
struct ParameterTests {
    private func parameter(
        _ type: String, _ rest: String = "", value: String = "1"
    ) throws -> ExtensionParameter {
        let json = #"{"name": "p", "type": "\#(type)", "default": \#(value)\#(rest)}"#
        return try JSONDecoder().decode(ExtensionParameter.self, from: Data(json.utf8))
    }

    @Test(
        "texts of the right type become values",
        arguments: [
            ("number", "0.5", ParameterValue.number(0.5)), ("number", "-3", .number(-3)),
            ("angle", "12.5", .number(12.5)), ("integer", "7", .integer(7)),
            ("boolean", "true", .boolean(true)), ("text", "a b", .string("a b")),
            ("file", "/tmp/x", .string("/tmp/x")), ("color", "#A0b1C2", .string("#a0b1c2ff")),
            ("color", "#00000080", .string("#00000080")),
            ("point", "0.25,1", .point(x: 0.25, y: 1)),
            ("rectangle", "0,0.1,1,0.9", .rectangle(x: 0, y: 0.1, width: 1, height: 0.9)),
            ("points", "[]", .points([])),
            ("points", " [[1, 0]]", .points([UnitPoint(x: 1, y: 0)])),
            ("curve", "[[0,0],[1,1]]", .points([UnitPoint(x: 0, y: 0), UnitPoint(x: 1, y: 1)])),
        ])
    func texts(type: String, text: String, value: ParameterValue) throws {
        #expect(try parameter(type).value(fromText: text) == value)
    }

    @Test(
        "other texts are errors that name the parameter",
        arguments: [
            ("number", "x"), ("number", ""), ("number", "inf"), ("number", "nan"),
            ("integer", "1.5"), ("boolean", "yes"), ("color", "red"), ("color", "#12345"),
            ("color", "#gggggg"), ("point", "1"), ("point", "0,2"), ("point", "0,0,0"),
            ("point", "0,,0"), ("rectangle", "0,0,1"), ("rectangle", "0.5,0,0.6,1"),
            ("rectangle", "0,0,0,1"), ("rectangle", "0,0,-1,1"), ("rectangle", "nan,0,1,1"),
            ("points", ""), ("points", "0,0"), ("points", "[0,0]"), ("points", "[[0,0,0]]"),
            ("points", "[[0,0]"), ("points", "[[0,2]]"), ("points", "[[0,nan]]"),
            ("curve", "[]"), ("curve", "[[0,0]]"), ("curve", "[[0,0],[0,1]]"),
            ("curve", #"{"x":0,"y":0}"#),
        ])
    func badTexts(type: String, text: String) throws {
        let parameter = try parameter(type)
        let error = #expect(throws: InvalidValueError.self) { try parameter.value(fromText: text) }
        #expect(error?.description.contains("\"p\"") == true)
    }

    @Test("ranges are closed")
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

    @Test(
        "messages contain whole numbers without a fraction",
        arguments: [
            ("number", "7", "not 7"), ("integer", "7", "not 7"), ("angle", "7.5", "not 7.5"),
            ("number", "1e300", "not 1e+300"),
        ])
    func numbersInMessages(type: String, text: String, words: String) throws {
        let parameter = try parameter(type, #", "minimum": 0, "maximum": 1"#)
        let error = #expect(throws: InvalidValueError.self) { try parameter.value(fromText: text) }
        #expect(error?.description.hasSuffix(words) == true, "\(error?.description ?? "")")
        let choice = try self.parameter("choice", #", "choices": ["a"]"#, value: #""a""#)
        let mismatch = #expect(throws: InvalidValueError.self) {
            try choice.checked(.rectangle(x: 0, y: 0.5, width: 1, height: 0.5))
        }
        #expect(mismatch?.description.hasSuffix(#"not "0,0.5,1,0.5""#) == true)
    }

    @Test("errors of curves and lists name the point")
    func points() throws {
        func error(_ type: String, _ text: String, _ rest: String = "") throws -> String {
            let parameter = try parameter(type, rest)
            let error = #expect(throws: InvalidValueError.self) {
                try parameter.value(fromText: text)
            }
            return error?.description ?? ""
        }
        #expect(try error("points", "[[0,0],[0.5,1.5]]").contains("point 2 is [0.5,1.5]"))
        #expect(try error("points", "[[2,0.5]]").contains("point 1 is [2,0.5]"))
        #expect(
            try error("curve", "[[0,0],[0.5,1],[0.25,1]]").contains(
                "x ascending: point 3 is at 0.25, and the one before it at 0.5"))
        #expect(
            try error("points", "[[0,0]]", #", "minimumCount": 2, "maximumCount": 3"#).contains(
                "has 1 point; it must be a list of 2 to 3 points [[x,y],…], each 0 to 1"))
        #expect(
            try error("curve", "[[0,0],[0.5,1],[1,1]]", #", "maximumCount": 2"#).contains(
                "has 3 points"))
        let many = "[" + [String](repeating: "[0,0]", count: 4097).joined(separator: ",") + "]"
        #expect(throws: InvalidValueError.self) { try parameter("points").value(fromText: many) }
        let three = try parameter("points", #", "minimumCount": 3"#)
        #expect(try three.value(fromText: "[[0,0],[1,1],[0,1]]") != .points([]))
    }

    @Test("a choice accepts only its own choices")
    func choices() throws {
        let parameter = try parameter("choice", #", "choices": ["a", "b"]"#, value: #""a""#)
        #expect(try parameter.value(fromText: "b") == .string("b"))
        #expect(throws: InvalidValueError.self) { try parameter.value(fromText: "c") }
    }

    @Test("values keep their type in JSON")
    func json() throws {
        let values: [String: ParameterValue] = [
            "a": .number(0.5), "b": .integer(3), "c": .boolean(false), "d": .string("x"),
            "e": .point(x: 0.25, y: 0.5), "f": .rectangle(x: 0, y: 0, width: 0.5, height: 1),
            "g": .points([UnitPoint(x: 0, y: 0.5), UnitPoint(x: 1, y: 1)]), "h": .points([]),
        ]
        let data = try JSONEncoder().encode(values)
        #expect(try JSONDecoder().decode([String: ParameterValue].self, from: data) == values)
    }
}
