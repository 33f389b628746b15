// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import PictureLight

/// Renders a text or an image over a picture.
struct Watermark: PhotoFilter, Hashable {
    static let identifier = "org.edithost.watermark"
    static let version = "1.0"

    /// The text. If it is empty, there is no text.
    var text = ""
    /// A file with an image, which replaces the text. If it is empty, there is no image.
    var image = ""
    /// The name of the font and its style, without a size.
    var font = "Sans"
    /// The colour of the text.
    var color = "#ffffffff"
    /// The size of the font or the height of the image, 0.005...1 relative to the picture's shorter side.
    var size = 0.05
    /// The position of the mark.
    var position = MarkPosition.bottomRight
    /// The distance from the edges and between tiles, 0...0.5 relative to the picture's shorter side.
    var margin = 0.03
    /// The opacity of the mark, 0...1.
    var opacity = 0.7
    /// The rotation of the mark in degrees clockwise, -180...180.
    var angle = 0.0
    /// Whether the mark is repeated over the whole picture.
    var tile = false

    func apply(to photo: Image, context: PhotoFilterContext) throws -> Image {
        try check()
        guard !isNeutral else { return photo }
        let picture = try context.withMatrixProfile(photo)
        let mark = try Mark.of(self, on: picture, isFrame: context.duration > 0) {
            try context.file(image)
        }
        return try mark.composited(over: picture)
    }

    /// Throws an error for an unusable file when the parameter is set, not only when a picture is rendered.
    mutating func adapt(to input: ContentEditingInput, setting names: Set<String>) throws {
        guard !image.isEmpty, names.contains("image") else { return }
        _ = try MarkImage.decoded(input.file(image))
    }

    /// Whether the output is the same as the input.
    private var isNeutral: Bool {
        opacity == 0 || image.isEmpty && text.allSatisfy(\.isWhitespace)
    }

    /// Throws an error if a value is out of range, because a recipe may contain any value.
    private func check() throws {
        for (name, value, low, high) in [
            ("size", size, 0.005, 1.0), ("margin", margin, 0, 0.5), ("opacity", opacity, 0, 1),
            ("angle", angle, -180, 180),
        ] where !(low...high).contains(value) {
            throw EditingExtensionError.bad(name, "must be \(low) to \(high), not \(value)")
        }
        _ = try SRGBColor(color, parameter: "color")
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Watermark.self, host: host)
}
