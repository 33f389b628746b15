// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Testing

/// Values that the host would reject, as a damaged recipe can have.
@Suite("values out of range in shipped extensions")
struct RangeTests {
    private static let values = ["2e9", "-1.01", "1e300", "4.01"]

    private static func expectRejection(
        of name: String, _ value: String, by plugin: TestPlugin
    ) throws {
        let image = try Pictures.make(
            [UInt16](repeating: 100, count: 12), width: 2, height: 2, bands: 3)
        let error = #expect(throws: TestFailure.self) {
            try plugin.edit(image, "{\"\(name)\": \(value)}")
        }
        #expect("\(error as Any)".contains("\(name) must "), "\(error as Any)")
    }

    @Test(
        "Light and Color names the slider",
        arguments: [
            "brilliance", "highlights", "shadows", "contrast", "brightness", "blackPoint",
            "saturation", "vibrance", "warmth", "tint",
        ], values)
    func sliders(name: String, value: String) throws {
        try Self.expectRejection(of: name, value, by: TestPlugin.lightAndColor.get())
    }

    @Test("Light and Color names the exposure", arguments: ["4.01", "-5", "1e300"])
    func exposure(value: String) throws {
        try Self.expectRejection(of: "exposure", value, by: TestPlugin.lightAndColor.get())
    }

    @Test(
        "Detail names the value",
        arguments: ["sharpen", "radius", "edges", "definition", "luminanceNoise", "colorNoise"],
        values)
    func detail(name: String, value: String) throws {
        try Self.expectRejection(of: name, value, by: TestPlugin.detail.get())
    }

    @Test("Retouch names the value", arguments: ["radius", "feather"], values)
    func retouch(name: String, value: String) throws {
        try Self.expectRejection(of: name, value, by: TestPlugin.retouch.get())
    }

    @Test(
        "Retouch names the list with a point outside the picture, or too many points",
        arguments: ["targets", "sources", "rims"],
        [
            "[[0.5,1.01]]", "[[0.1,0.1],[-1e-9,0]]",
            "[[1e300,0]]", "[\(String(repeating: "[0,0],", count: 256))[0,0]]",
        ])
    func points(name: String, value: String) throws {
        try Self.expectRejection(of: name, value, by: TestPlugin.retouch.get())
    }

    @Test("Color Mixer names the slider", arguments: ["redHue", "aquaWeight"], values)
    func hues(name: String, value: String) throws {
        try Self.expectRejection(of: name, value, by: TestPlugin.colorMixer.get())
    }

    @Test(
        "Vignette names the slider", arguments: ["amount", "radius", "softness", "roundness"],
        values)
    func vignette(name: String, value: String) throws {
        try Self.expectRejection(of: name, value, by: TestPlugin.vignette.get())
    }

    @Test("Vignette names the center", arguments: ["-1e-9", "7", "1e300"])
    func center(coordinate: String) throws {
        for point in ["{\"x\":\(coordinate),\"y\":0.5}", "{\"x\":1,\"y\":\(coordinate)}"] {
            try Self.expectRejection(of: "center", point, by: TestPlugin.vignette.get())
        }
    }

    @Test(
        "Borders names the width", arguments: ["width", "bottom", "line"],
        ["-1e-9", "0.51", "1e300"])
    func borders(name: String, value: String) throws {
        try Self.expectRejection(of: name, value, by: TestPlugin.borders.get())
    }

    @Test(
        "Borders rejects a text that is no colour", arguments: ["color", "lineColor"],
        ["", "#12345", "#+12345", "white"])
    func borderColor(name: String, text: String) throws {
        try Self.expectRejection(of: name, "\"\(text)\"", by: TestPlugin.borders.get())
    }

    @Test(
        "Watermark names the number", arguments: ["size", "margin", "opacity"],
        ["-1e-9", "1.01", "1e300"])
    func watermark(name: String, value: String) throws {
        try Self.expectRejection(of: name, value, by: TestPlugin.watermark.get())
    }

    @Test(
        "Watermark names the other values",
        arguments: [
            ("angle", "181"), ("angle", "-1e300"), ("size", "0"), ("color", "\"white\""),
        ])
    func watermark(name: String, text: String) throws {
        try Self.expectRejection(of: name, text, by: TestPlugin.watermark.get())
    }

    @Test(
        "Color Mixer rejects a tint that is no colour",
        arguments: ["", "#12345", "#+12345", "#8080807x", "red", "808080"])
    func tint(text: String) throws {
        try Self.expectRejection(of: "tint", "\"\(text)\"", by: TestPlugin.colorMixer.get())
    }
}
