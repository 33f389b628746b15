// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Fades a photo, as light fades prints. Its parameters are declared only here: the manifest is
/// generated from them.
struct Fade: PhotoFilter {
    static let identifier = "com.example.fade"
    static let version = "1.0"
    static let manifest = FilterManifest(
        presets: [
            .init(
                "album", label: ["en": "Old album", "de": "Altes Album"],
                values: ["strength": .number(0.8)])
        ],
        author: "The edithost contributors", license: "Apache-2.0",
        description: "Fades a picture, as light fades prints.")

    enum Mode: String, Codable, CaseIterable, Sendable { case plain, tinted }

    @Parameter(0...1, step: 0.01, label: ["en": "Strength", "de": "Stärke"])
    var strength = 0.5

    @Parameter(label: "Mode", help: "What shadows become.", group: "Shadows")
    var mode = Mode.plain

    @Parameter(.color, label: "Colour", group: "Shadows", visible: .when("mode", in: ["tinted"]))
    var shadows = "#203040ff"

    @Parameter(count: 2...8, label: "Tones") var tones = Curve.identity

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        let color = mode == .tinted ? try Self.components(shadows) : [0.25, 0.25, 0.25]
        let largest = image.format == .uchar ? 255.0 : 65535.0
        // Every band has its own table, so alpha does not change.
        let table = tones.table(count: Int(largest) + 1).enumerated().flatMap { index, value in
            let tone = UInt16(value * largest + 0.5)
            return [tone, tone, tone, UInt16(index)].prefix(image.bands)
        }
        let lut = try Image(
            samples: table, width: Int(largest) + 1, height: 1, bands: image.bands)
        let toned = try image.applying("maplut", ["lut": .image(lut)])
        let factors = [1 - strength, 1 - strength, 1 - strength, 1].prefix(image.bands)
        let offsets = (color.map { $0 * strength * largest } + [0]).prefix(image.bands)
        return try toned.applying(
            "linear", ["a": .doubles(Array(factors)), "b": .doubles(Array(offsets))])
    }

    /// Returns red, green and blue of a colour, `#rrggbb` or `#rrggbbaa`, each 0...1.
    private static func components(_ color: String) throws -> [Double] {
        let digits = color.dropFirst()
        guard color.hasPrefix("#"), digits.count == 6 || digits.count == 8,
            digits.allSatisfy(\.isHexDigit), let number = UInt32(digits.prefix(6), radix: 16)
        else {
            throw EditingExtensionError(
                code: .badParameter, message: "\"\(color)\" is not a colour; use #rrggbb")
        }
        return [16, 8, 0].map { Double(number >> $0 & 0xFF) / 255 }
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Fade.self, host: host)
}
