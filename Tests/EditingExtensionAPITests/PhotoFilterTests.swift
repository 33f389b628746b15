// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import EditingExtensionAPI

/// A filter with parameters of several types.
private struct Sample: PhotoFilter {
    static let identifier = "com.example.sample"
    static let version = "3.1"
    static let formatVersion = "2"
    static let readableFormatVersions = ["1", "2"]

    var title = "a/b"
    var radius = 1.5
    var centre = UnitPoint(x: 0.25, y: 0.5)
    var tags = [1, 2]

    /// Returns an image as wide as the scale in hundredths, to show the scale to the test.
    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        guard radius >= 0 else {
            throw EditingExtensionError(
                code: .badParameter, message: String(repeating: "ü", count: 2000))
        }
        return try image.applying(
            "embed",
            ["x": 0, "y": 0, "width": .integer(Int(context.scale * 100)), "height": 1])
    }
}

/// A filter with a curve and with points.
private struct Tones: PhotoFilter {
    static let identifier = "com.example.tones"
    static let version = "1.0"

    var curve = Curve.identity
    var points = [[0.25, 0.75]]

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        let table = try Image(
            samples: curve.table(count: 256).map { UInt8($0 * 255) }, width: 256, height: 1,
            bands: 1)
        return try image.applying("maplut", ["lut": .image(table)])
    }
}

/// A filter whose recipes had a diameter in version 1, and a radius in a unit of 10 pixels in version 2.
private struct Vignette: PhotoFilter {
    static let identifier = "com.example.vignette"
    static let version = "3.0"
    static let formatVersion = "3"
    static let readableFormatVersions = ["2", "3"]
    static let manifest = FilterManifest(
        minimumHost: "0.2", upgrades: ["1", "2"], hashedFiles: ["round.cube"])

    var radius = 4.0
    @Parameter(.file, label: "Shape") var shape = "round.cube"

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image { image }
}

extension Vignette {
    private struct Earlier: Decodable { let diameter: Double }

    init(recipe: Data, version: String) throws {
        self.init()
        switch version {
        case "1": radius = try JSONDecoder().decode(Earlier.self, from: recipe).diameter / 2
        case "2":
            self = try Self(decoding: recipe)
            radius *= 10
        default: self = try Self(decoding: recipe)
        }
    }
}

/// A filter whose output is in another profile.
private struct Wide: PhotoFilter {
    static let identifier = "com.example.wide"
    static let version = "1.0"

    var isOn = true

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        if isOn { context.setProfile(.proPhotoRGB) }
        return image
    }
}

@Suite("PhotoFilter")
struct PhotoFilterTests {
    private let image: Image

    init() throws { image = try Pictures.make(width: 8, height: 8, bands: 3).image }

    private func session(
        recipe: AdjustmentData? = nil, display: Image? = nil
    ) throws -> TestSession {
        try TestSession(
            PhotoFilterController<Sample>(),
            input: TestInput(image, display: display, recipe: recipe))
    }

    private func recipe(
        _ json: String, identifier: String = "com.example.sample", version: String = "2"
    ) -> AdjustmentData {
        AdjustmentData(
            formatIdentifier: identifier, formatVersion: version, data: Data(json.utf8))
    }

    /// The contents of a recipe. `tags` cannot be a parameter.
    private static let defaults =
        "{\"centre\":{\"x\":0.25,\"y\":0.5},\"radius\":1.5,\"tags\":[1,2],\"title\":\"a/b\"}"

    private static let parameters =
        "{\"centre\":{\"x\":0.25,\"y\":0.5},\"radius\":1.5,\"title\":\"a/b\"}"

    @Test("a new edit has the defaults in sorted order")
    func defaults() throws {
        let session = try session()
        #expect(try session.parameters() == Self.parameters)
        let recipe = try session.finish().recipe
        #expect(recipe == self.recipe(Self.defaults))
    }

    @Test("named values are changed, and the others stay")
    func overlay() throws {
        let session = try session(recipe: recipe("{\"radius\":7,\"title\":\"x\"}", version: "1"))
        try session.set("{\"centre\":{\"x\":1,\"y\":0}}")
        #expect(
            try session.parameters()
                == "{\"centre\":{\"x\":1,\"y\":0},\"radius\":7,\"title\":\"x\"}")
        let tagged =
            "{\"centre\":{\"x\":1,\"y\":0},\"radius\":7,\"tags\":[1,2],\"title\":\"x\"}"
        #expect(try session.finish().recipe == self.recipe(tagged))
    }

    @Test("curves and points are properties with JSON parameters")
    func curves() throws {
        let session = try TestSession(
            PhotoFilterController<Tones>(), input: TestInput(image, display: nil, recipe: nil))
        let defaults = #"{"curve":[[0,0],[1,1]],"points":[[0.25,0.75]]}"#
        #expect(try session.parameters() == defaults)
        try session.set(#"{"curve":[[0,1],[1,0]],"points":[]}"#)
        let changed = #"{"curve":[[0,1],[1,0]],"points":[]}"#
        #expect(try session.parameters() == changed)
        let failure = #expect(throws: TestFailure.self) {
            try session.set(#"{"curve":[[0,1],[0,0]]}"#)
        }
        #expect(failure?.message.contains("x ascending: point 2 is at 0") == true)
        let recipe = try session.finish().recipe
        #expect(String(decoding: recipe.data, as: UTF8.self) == changed)
    }

    @Test("a filter continues only its own complete and readable recipes")
    func canHandle() throws {
        let session = try session()
        #expect(try session.canHandle(recipe(Self.defaults)))
        #expect(try session.canHandle(recipe("{}", version: "1")))
        #expect(try !session.canHandle(recipe("{}", version: "3")))
        #expect(try !session.canHandle(recipe("{}", identifier: "com.example.other")))
        #expect(try !session.canHandle(recipe("{\"radius\":\"wide\"}")))
        #expect(try !session.canHandle(recipe("nonsense")))
        #expect(try !session.canHandle(recipe("[]")))
    }

    @Test(
        "recipes of earlier versions are converted and written in the current one",
        arguments: [
            ("1", #"{"diameter":6}"#, 3.0), ("2", #"{"radius":0.5,"shape":"square.cube"}"#, 5.0),
            ("3", #"{"radius":7}"#, 7.0),
        ])
    func migration(version: String, json: String, radius: Double) throws {
        let stored = recipe(json, identifier: Vignette.identifier, version: version)
        let session = try TestSession(
            PhotoFilterController<Vignette>(), input: TestInput(image, recipe: stored))
        #expect(try session.canHandle(stored))
        let written = try session.finish().recipe
        #expect(written.formatVersion == "3")
        let found = try JSONDecoder().decode(Vignette.self, from: written.data)
        #expect(found.radius == radius)
        #expect(found.shape == (version == "2" ? "square.cube" : "round.cube"))
    }

    @Test("a recipe that cannot be converted is not continued")
    func noMigration() throws {
        let session = try TestSession(
            PhotoFilterController<Vignette>(), input: TestInput(image))
        for (version, json) in [("1", "{}"), ("1", "nonsense"), ("4", "{}"), ("0", "{}")] {
            let stored = recipe(json, identifier: Vignette.identifier, version: version)
            #expect(try !session.canHandle(stored), "\(version) \(json)")
        }
    }

    @Test("a generated manifest has upgrades, the minimum host and parameters of type file")
    func manifest() throws {
        let json = try PhotoFilterController<Vignette>.manifest()
        let manifest = try JSONDecoder().decode(JSON.self, from: Data(json.utf8))
        guard case .object(let members) = manifest else {
            Issue.record("\(json)")
            return
        }
        func text(_ key: String) throws -> String {
            String(decoding: try JSON.encode(#require(members[key])), as: UTF8.self)
        }
        #expect(try text("minimumHost") == #""0.2""#)
        #expect(
            try text("upgrades")
                == #"[{"formatIdentifier":"com.example.vignette","formatVersions":["1","2"]}]"#)
        #expect(
            try text("parameters")
                == #"[{"default":"round.cube","label":"Shape","name":"shape","type":"file"}]"#)
        let plain = try PhotoFilterController<Tones>.manifest()
        #expect(!plain.contains("upgrades") && !plain.contains("minimumHost"))
    }

    @Test("starting with an unreadable recipe is an error")
    func badRecipe() throws {
        let failure = #expect(throws: TestFailure.self) { try session(recipe: recipe("[]")) }
        #expect(failure?.status == ee_status(EE_BAD_ADJUSTMENT))
    }

    @Test("an invalid value changes nothing, and its error names it")
    func wrongValue() throws {
        let session = try session()
        for (json, name) in [
            ("{\"radius\":\"x\",\"title\":\"y\"}", "radius"), ("{\"centre\":{\"x\":1}}", "y"),
            ("[1]", "JSON object"),
        ] {
            let failure = #expect(throws: TestFailure.self) { try session.set(json) }
            #expect(failure?.status == ee_status(EE_BAD_PARAMETER))
            #expect(failure?.message.contains(name) == true)
        }
        #expect(try session.parameters() == Self.parameters)
    }

    @Test("preview and full size get their scale")
    func scale() throws {
        let display = try Pictures.make(width: 4, height: 4, bands: 3).image
        let session = try session(display: display)
        #expect(try session.preview().width == 50)
        #expect(try session.finish().image?.width == 100)
    }

    @Test("the profile that a filter sets is that of the output and of previews")
    func profile() throws {
        let session = try TestSession(
            PhotoFilterController<Wide>(), input: TestInput(image))
        #expect(try session.preview(setsProfiles: true).profile == "prophoto-rgb")
        let failure = #expect(throws: TestFailure.self) {
            try session.preview(setsProfiles: false)
        }
        #expect(failure?.status == ee_status(EE_UNSUPPORTED))
        #expect(failure?.message.contains("update it") == true)
        try session.set(#"{"isOn":false}"#)
        #expect(try session.preview(setsProfiles: true).profile == nil)
        #expect(try session.preview(setsProfiles: false).profile == nil)
        try session.set(#"{"isOn":true}"#)
        #expect(try session.finish().profile == "prophoto-rgb")
    }

    @Test("frames stay in sRGB")
    func profileOfFrames() throws {
        let (controller, input) = (PhotoFilterController<Wide>(), TestInput(image))
        try withExtendedLifetime(input) {
            try controller.startContentEditing(
                with: ContentEditingInput(input.pointer), placeholderImage: image)
            let error = #expect(throws: EditingExtensionError.self) {
                try controller.processFrame(VideoFrame(image: image))
            }
            #expect(error?.code == .unsupported)
        }
    }

    @Test("an overlong message is cut between characters")
    func longMessage() throws {
        let session = try session()
        try session.set("{\"radius\":-1}")
        let failure = #expect(throws: TestFailure.self) { try session.preview() }
        #expect(failure?.message == String(repeating: "ü", count: 511))
    }
}

extension TestSession {
    /// Creates a session of a controller of this test.
    convenience init(
        _ controller: any ContentEditingController, input: TestInput? = nil
    ) throws {
        let box = Unmanaged.passRetained(ContractController(controller)).toOpaque()
        try self.init(
            PhotoEditingCapability.shared.table, controller: OpaquePointer(box), input: input)
    }
}
