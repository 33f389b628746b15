// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

@testable import EditingExtensionAPI

/// A filter with properties that declare parameters of every type, and some that do not.
private struct Declaring: PhotoFilter, Equatable {
    static let identifier = "com.example.declaring"
    static let version = "2.0"
    static let formatVersion = "2"
    static let readableFormatVersions = ["1", "2"]
    static let manifest = FilterManifest(
        name: "Declares", pixelFormats: [.rgb8], access: .random, contentBound: true,
        expensive: true, hashedFiles: ["table.bin"], readsOriginal: true,
        keepsPixelsInPlace: true,
        presets: [.init("a", values: ["count": .integer(4)])])

    enum Mode: String, Codable, CaseIterable, Sendable { case one, two }

    @Parameter(-1...1, step: 0.25, unit: "EV", label: "Gain", help: "Help.", group: "Light")
    var gain = 0.5
    @Parameter(angle: -45...45, role: .straighten) var angle = 0.0
    @Parameter(0...10) var count = 3
    @Parameter var isOn = true
    @Parameter(labels: [.two: ["de": "Zwei"]], visible: .when("isOn", is: true))
    var mode = Mode.one
    @Parameter var title = "x"
    @Parameter(.color) var color = "#FF0000"
    @Parameter var centre = UnitPoint(x: 0.5, y: 0.5)
    @Parameter(role: .crop) var crop = UnitRectangle.full
    @Parameter(count: 2...4) var curve = Curve.identity
    @Parameter(visible: .when("count", in: [3, 4])) var points = [[0.25, 0.75]]
    @Parameter(0...60, unit: "s", role: .timeStart) var start = 0.0
    var plain = 1.0

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image { image }
}

/// A filter that declares a property that cannot be a parameter.
private struct Wrong: PhotoFilter {
    static let identifier = "com.example.wrong"
    static let version = "1.0"

    @Parameter var points = [[1.0, 2.0, 3.0]]

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image { image }
}

@Suite("@Parameter")
struct ParameterDeclarationTests {
    private let image: Image

    init() throws { image = try Pictures.make(width: 8, height: 8, bands: 3).image }

    private static let defaults =
        ##"{"angle":0,"centre":{"x":0.5,"y":0.5},"color":"#ff0000ff","count":3,"##
        + ##""crop":{"height":1,"width":1,"x":0,"y":0},"curve":[[0,0],[1,1]],"gain":0.5,"##
        + ##""isOn":true,"mode":"one","plain":1,"points":[[0.25,0.75]],"start":0,"title":"x"}"##

    @Test("values are read, changed and stored as without the wrapper")
    func values() throws {
        let session = try TestSession(PhotoFilterController<Declaring>(), input: TestInput(image))
        #expect(try session.parameters() == Self.defaults)
        try session.set(#"{"gain":0.75,"mode":"two","curve":[[0,1],[1,0]],"plain":2}"#)
        let recipe = try session.finish().recipe
        let expected = Self.defaults.replacingOccurrences(of: ":0.5,\"isOn", with: ":0.75,\"isOn")
            .replacingOccurrences(of: "one", with: "two")
            .replacingOccurrences(of: "[[0,0],[1,1]]", with: "[[0,1],[1,0]]")
            .replacingOccurrences(of: "plain\":1", with: "plain\":2")
        #expect(String(decoding: recipe.data, as: UTF8.self) == expected)
        let again = try TestSession(
            PhotoFilterController<Declaring>(), input: TestInput(image, recipe: recipe))
        #expect(try again.parameters() == expected)
        let failure = #expect(throws: TestFailure.self) { try again.set(#"{"count":"x"}"#) }
        #expect(failure?.message.contains("count") == true)
        #expect(try again.parameters() == expected)
        var changed = Declaring()
        #expect(changed == Declaring())
        changed.gain = 1
        #expect(changed != Declaring() && changed.gain == 1)
    }

    @Test("the manifest lists the declared parameters in property order")
    func manifest() throws {
        let json = """
            {"identifier": "com.example.declaring", "name": "Declares", "version": "2.0",
             "abi": "1.1", "library": "x.so", "supportedMediaTypes": ["image"],
             "reads": [{"formatIdentifier": "com.example.declaring", "formatVersions": ["1", "2"]}],
             "writes": [{"formatIdentifier": "com.example.declaring", "formatVersions": ["2"]}],
             "pixelFormats": ["rgb8"], "access": "random", "contentBound": true,
             "expensive": true, "hashedFiles": ["table.bin"], "readsOriginal": true,
             "keepsPixelsInPlace": true,
             "presets": [{"name": "a", "values": {"count": 4}}],
             "parameters": [
              {"name": "gain", "type": "number", "minimum": -1, "maximum": 1, "step": 0.25,
               "unit": "EV", "label": "Gain", "help": "Help.", "group": "Light", "default": 0.5},
              {"name": "angle", "type": "angle", "minimum": -45, "maximum": 45, "default": 0,
               "role": "straighten"},
              {"name": "count", "type": "integer", "minimum": 0, "maximum": 10, "default": 3},
              {"name": "isOn", "type": "boolean", "default": true},
              {"name": "mode", "type": "choice", "default": "one",
               "choices": ["one", {"value": "two", "label": {"de": "Zwei"}}],
               "visibleWhen": {"parameter": "isOn", "in": [true]}},
              {"name": "title", "type": "text", "default": "x"},
              {"name": "color", "type": "color", "default": "#ff0000ff"},
              {"name": "centre", "type": "point", "default": {"x": 0.5, "y": 0.5}},
              {"name": "crop", "type": "rectangle", "role": "crop",
               "default": {"x": 0, "y": 0, "width": 1, "height": 1}},
              {"name": "curve", "type": "curve", "minimumCount": 2, "maximumCount": 4,
               "default": [[0, 0], [1, 1]]},
              {"name": "points", "type": "points", "default": [[0.25, 0.75]],
               "visibleWhen": {"parameter": "count", "in": [3, 4]}},
              {"name": "start", "type": "number", "minimum": 0, "maximum": 60, "unit": "s",
               "role": "timeStart", "default": 0}]}
            """
        let made = Data(try PhotoFilterController<Declaring>.manifest().utf8)
        #expect(ExtensionManifest.unknownKeys(in: made).isEmpty)
        var members = try #require(
            JSONSerialization.jsonObject(with: made) as? [String: Any])
        #expect(members["library"] == nil)
        members["library"] = "x.so"
        let whole = try JSONSerialization.data(withJSONObject: members)
        #expect(
            try ExtensionManifest(json: whole) == ExtensionManifest(json: Data(json.utf8)))
    }

    @Test("an unsuitable property makes no manifest")
    func wrong() {
        #expect(throws: (any Error).self) { try PhotoFilterController<Wrong>.manifest() }
    }
}
