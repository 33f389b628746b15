// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import PictureLight

/// Changes the hue, saturation and lightness of eight hues, or mixes a black-and-white picture from them.
struct ColorMixer: PhotoFilter {
    static let identifier = "org.edithost.colormixer"
    static let version = "1.0"

    // For each of the eight hues, -1...1: the shift towards a neighbouring hue, the saturation and the lightness.
    var redHue = 0.0, redSaturation = 0.0, redLightness = 0.0
    var orangeHue = 0.0, orangeSaturation = 0.0, orangeLightness = 0.0
    var yellowHue = 0.0, yellowSaturation = 0.0, yellowLightness = 0.0
    var greenHue = 0.0, greenSaturation = 0.0, greenLightness = 0.0
    var aquaHue = 0.0, aquaSaturation = 0.0, aquaLightness = 0.0
    var blueHue = 0.0, blueSaturation = 0.0, blueLightness = 0.0
    var purpleHue = 0.0, purpleSaturation = 0.0, purpleLightness = 0.0
    var magentaHue = 0.0, magentaSaturation = 0.0, magentaLightness = 0.0

    /// Whether the picture is converted to black and white.
    var blackAndWhite = false
    // The lightness of each hue in black and white, -1...1.
    var redWeight = 0.0
    var orangeWeight = 0.0
    var yellowWeight = 0.0
    var greenWeight = 0.0
    var aquaWeight = 0.0
    var blueWeight = 0.0
    var purpleWeight = 0.0
    var magentaWeight = 0.0
    /// A colour that tones a black-and-white picture. The effect is strongest in the middle tones.
    var tint = "#808080ff"

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        try check()
        guard blackAndWhite || hues.contains(where: { !$0.isNeutral }) else { return image }
        let picture = try context.withMatrixProfile(image)
        return try MixedColors(self, of: picture).applied(to: picture)
    }
}

extension ColorMixer {
    /// The changes of one hue.
    struct HueChange {
        let name: String
        /// The hue in Oklab, in degrees.
        let degrees: Double
        let hue: Double
        let saturation: Double
        let lightness: Double
        /// The change of lightness in black and white.
        let weight: Double

        var isNeutral: Bool { hue == 0 && saturation == 0 && lightness == 0 }
    }

    /// The changes of the eight hues, in ascending order of the hue.
    var hues: [HueChange] {
        [
            HueChange(
                name: "red", degrees: 29, hue: redHue, saturation: redSaturation,
                lightness: redLightness, weight: redWeight),
            HueChange(
                name: "orange", degrees: 62, hue: orangeHue, saturation: orangeSaturation,
                lightness: orangeLightness, weight: orangeWeight),
            HueChange(
                name: "yellow", degrees: 107, hue: yellowHue, saturation: yellowSaturation,
                lightness: yellowLightness, weight: yellowWeight),
            HueChange(
                name: "green", degrees: 143, hue: greenHue, saturation: greenSaturation,
                lightness: greenLightness, weight: greenWeight),
            HueChange(
                name: "aqua", degrees: 195, hue: aquaHue, saturation: aquaSaturation,
                lightness: aquaLightness, weight: aquaWeight),
            HueChange(
                name: "blue", degrees: 260, hue: blueHue, saturation: blueSaturation,
                lightness: blueLightness, weight: blueWeight),
            HueChange(
                name: "purple", degrees: 300, hue: purpleHue, saturation: purpleSaturation,
                lightness: purpleLightness, weight: purpleWeight),
            HueChange(
                name: "magenta", degrees: 340, hue: magentaHue, saturation: magentaSaturation,
                lightness: magentaLightness, weight: magentaWeight),
        ]
    }

    /// Throws an error if a value is out of range, because a recipe may contain any value.
    private func check() throws {
        _ = try SRGBColor(tint, parameter: "tint")
        for change in hues {
            let values = [
                ("Hue", change.hue), ("Saturation", change.saturation),
                ("Lightness", change.lightness), ("Weight", change.weight),
            ]
            for (kind, value) in values where !(-1...1).contains(value) {
                throw EditingExtensionError(
                    code: .badParameter,
                    message: "\(change.name)\(kind) must be -1 to 1, not \(value)")
            }
        }
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(ColorMixer.self, host: host)
}
