// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import PictureLight

/// Eleven sliders for light and colour. 0 is neutral for each, and the order in which they are set does not matter.
struct LightAndColor: PhotoFilter {
    static let identifier = "org.edithost.lightandcolor"
    static let version = "1.0"

    /// Set to true to choose the other parameters from the picture's histogram; false again afterwards.
    var auto = false
    /// Exposure in stops, -4...4.
    var exposure = 0.0
    /// Lighter shadows and darker highlights, -1...1.
    var brilliance = 0.0
    /// Light of the highlights, -1...1.
    var highlights = 0.0
    /// Light of the shadows, -1...1.
    var shadows = 0.0
    /// Contrast, -1...1.
    var contrast = 0.0
    /// Light of the middle tones, -1...1.
    var brightness = 0.0
    /// The level that becomes black if positive, or the level of black if negative, -1...1.
    var blackPoint = 0.0
    /// Distance from gray, -1...1.
    var saturation = 0.0
    /// Distance from gray for pixels of little saturation, -1...1.
    var vibrance = 0.0
    /// Warmth of the light, -1...1.
    var warmth = 0.0
    /// Tint of the light from green to magenta, -1...1.
    var tint = 0.0

    /// Local sliders read the picture twice.
    var access: PixelAccess { isLocal ? .random : .sequential }

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        try check()
        guard !isNeutral else { return image }
        let picture = try context.withMatrixProfile(image)
        return try PixelEdit(self, of: picture).applied(to: picture)
    }

    mutating func adapt(to input: ContentEditingInput, setting names: Set<String>) throws {
        guard auto, names.contains("auto") else { return }
        auto = false
        let settings = try AutomaticSettings(
            measuring: input.reducedImage(longestSide: AutomaticSettings.longestSide)
                .withMatrixProfile())
        // Sliders that are set together with the button keep their values.
        for (name, slider) in Self.sliders where !names.contains(name) {
            if let value = settings.values[name] { self[keyPath: slider] = value }
        }
    }
}

extension LightAndColor {
    /// The sliders, by name.
    static let sliders: [(name: String, value: WritableKeyPath<LightAndColor, Double> & Sendable)] =
        [
            ("exposure", \.exposure), ("brilliance", \.brilliance), ("highlights", \.highlights),
            ("shadows", \.shadows), ("contrast", \.contrast), ("brightness", \.brightness),
            ("blackPoint", \.blackPoint), ("saturation", \.saturation), ("vibrance", \.vibrance),
            ("warmth", \.warmth), ("tint", \.tint),
        ]

    /// Whether the output is the input.
    var isNeutral: Bool { Self.sliders.allSatisfy { self[keyPath: $0.value] == 0 } }

    /// Whether a pixel depends on those around it.
    var isLocal: Bool { brilliance != 0 || highlights != 0 || shadows != 0 }

    /// Throws unless all values are in range. A recipe may contain any value.
    private func check() throws {
        for (name, path) in Self.sliders {
            let (value, limit) = (self[keyPath: path], name == "exposure" ? 4.0 : 1)
            guard (-limit...limit).contains(value) else {
                throw EditingExtensionError(
                    code: .badParameter,
                    message: "\(name) must be \(Int(-limit)) to \(Int(limit)), not \(value)")
            }
        }
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(LightAndColor.self, host: host)
}
