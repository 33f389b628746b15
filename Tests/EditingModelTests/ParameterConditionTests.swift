// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

/// Parameters that are visible only while another one has certain values.
@Suite("parameter conditions")
struct ParameterConditionTests {
    /// A manifest with a choice `mode`, a boolean `on`, a number `n`, and more.
    private func manifest(_ more: [(name: String, condition: String)]) throws -> ExtensionManifest {
        let parameters = more.map { name, condition in
            #"{"name": "\#(name)", "type": "boolean", "default": true, "visibleWhen": \#(condition)}"#
        }
        let fixed = [
            #"{"name": "mode", "type": "choice", "choices": ["one", "two"], "default": "one"}"#,
            #"{"name": "on", "type": "boolean", "default": false}"#,
            #"{"name": "n", "type": "number", "default": 0}"#,
        ]
        let json = """
            {"identifier": "com.example.x", "name": "X", "version": "1.0", "abi": "1.0",
             "library": "libX.so", "supportedMediaTypes": ["image"],
             "parameters": [\((fixed + parameters).joined(separator: ","))]}
            """
        return try ExtensionManifest(json: Data(json.utf8))
    }

    @Test("a parameter is visible while its condition holds and its parameter is visible")
    func visible() throws {
        let manifest = try manifest([
            ("c", #"{"parameter": "b", "in": [true]}"#),
            ("b", #"{"parameter": "a", "in": [true]}"#),
            ("a", #"{"parameter": "mode", "in": ["two"]}"#),
            ("d", #"{"parameter": "mode", "in": ["one", "two"]}"#),
            ("e", #"{"parameter": "on", "in": [true]}"#),
        ])
        func shown(_ values: [String: ParameterValue]) -> [String] {
            manifest.visibleParameters(with: values).map(\.name).filter { $0.count == 1 }
        }
        #expect(shown([:]) == ["n", "d"])
        #expect(shown(["mode": .string("two")]) == ["n", "c", "b", "a", "d"])
        #expect(shown(["mode": .string("two"), "a": .boolean(false)]) == ["n", "a", "d"])
        #expect(shown(["mode": .string("three"), "on": .boolean(true)]) == ["n", "e"])
        // Hidden parameters keep their values, so only the first condition of the chain matters here.
        #expect(shown(["a": .boolean(true), "b": .boolean(true)]) == ["n", "d"])
        #expect(try ExtensionManifest(json: JSONEncoder().encode(manifest)) == manifest)
    }

    @Test(
        "conditions on unknown parameters and values are named",
        arguments: [
            (
                #"{"parameter": "moed", "in": ["one"]}"#, "visibleWhen.parameter",
                #"is not a parameter: "moed"; did you mean "mode"?"#
            ),
            (#"{"parameter": "n", "in": [0]}"#, "visibleWhen.parameter", "must be a boolean"),
            (#"{"parameter": "mode", "in": []}"#, "visibleWhen.in", "at least one value"),
            (#"{"parameter": "mode", "in": ["x"]}"#, "visibleWhen.in[0]", "one of one, two"),
            (#"{"parameter": "mode", "in": ["one", 1]}"#, "visibleWhen.in[1]", "one of one, two"),
            (#"{"parameter": "mode"}"#, "visibleWhen.in", "is missing"),
            (#"{"parameter": "mode", "in": "one"}"#, "visibleWhen.in", "must be an array"),
            (#"{"in": ["one"]}"#, "visibleWhen.parameter", "is missing"),
            (#""mode""#, "visibleWhen", "must be an object"),
            (#"{"parameter": "a", "in": [true]}"#, "visibleWhen", "is circular: a -> a"),
        ])
    func wrong(condition: String, key: String, words: String) {
        let error = #expect(throws: InvalidValueError.self) { try manifest([("a", condition)]) }
        #expect(error?.subject == .manifestKey("parameters[3].\(key)"))
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test("a cycle is named without the parameters that only lead to it")
    func circles() throws {
        func of(_ name: String) -> String { #"{"parameter": "\#(name)", "in": [true]}"# }
        let error = #expect(throws: InvalidValueError.self) {
            try manifest([("a", of("c")), ("b", of("d")), ("c", of("b")), ("d", of("c"))])
        }
        #expect(error?.description.contains("circular: c -> b -> d -> c") == true)
        #expect(error?.subject == .manifestKey("parameters[5].visibleWhen"))
    }

    @Test("ten thousand conditions are checked, also as one long cycle")
    func many() throws {
        func chain(_ count: Int, last: String) -> [(String, String)] {
            (0..<count).map { index in
                let next = index + 1 < count ? "p\(index + 1)" : last
                return ("p\(index)", #"{"parameter":"\#(next)","in":[true]}"#)
            }
        }
        let long = try manifest(chain(8000, last: "on"))
        #expect(long.visibleParameters(with: [:]).count == 3)
        #expect(long.visibleParameters(with: ["on": .boolean(true)]).count == 8003)
        let error = #expect(throws: InvalidValueError.self) {
            try manifest(chain(8000, last: "p0"))
        }
        #expect(error?.description.contains("is circular: p0 -> p1 -> ") == true)
    }

    @Test("unknown keys of a condition are named")
    func unknownKeys() {
        let json = Data(#"{"parameters": [{"visibleWhen": {"parameter": "a", "equals": 1}}]}"#.utf8)
        let found = ExtensionManifest.unknownKeys(in: json)
        #expect(found.map(\.subject?.name) == ["parameters[0].visibleWhen.equals"])
    }
}
