// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import PictureLight

/// Surrounds a picture with a line, a border and a canvas of a given aspect ratio.
struct Borders: PhotoFilter {
    static let identifier = "org.edithost.borders"
    static let version = "1.0"

    /// The colour of the border and the canvas.
    var color = "#ffffffff"
    /// The width of the border, 0...0.5 relative to the picture's shorter side.
    var width = 0.05
    /// An additional width of the border at the bottom, in the same unit.
    var bottom = 0.0
    /// The aspect ratio of the result.
    var aspect = Aspect.none
    /// The width of the line between the picture and the border, 0...0.05 relative to the picture's shorter side.
    var line = 0.0
    /// The colour of the line.
    var lineColor = "#000000ff"

    func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
        try check()
        let colors = try (
            line: SRGBColor(lineColor, parameter: "lineColor"),
            border: SRGBColor(color, parameter: "color")
        )
        let layout = try BorderLayout(self, width: image.width, height: image.height)
        if layout.line.isEmpty && layout.border.isEmpty { return image }
        let picture = try context.withMatrixProfile(image)
        let lined = try picture.surrounded(by: layout.line, colors.line)
        return try lined.surrounded(by: layout.border, colors.border)
    }

    /// Throws an error if a value is out of range, because a recipe may contain any value.
    private func check() throws {
        for (name, value, limit) in [
            ("width", width, 0.5), ("bottom", bottom, 0.5), ("line", line, 0.05),
        ] where !(0...limit).contains(value) {
            throw EditingExtensionError(
                code: .badParameter, message: "\(name) must be 0 to \(limit), not \(value)")
        }
    }
}

extension Image {
    /// Returns the image with margins of a colour, or the image itself if there are no margins.
    ///
    /// If the image has no alpha channel, a colour that is not opaque is blended with black, as the host does with
    /// transparent pixels.
    fileprivate func surrounded(by margins: BorderLayout.Margins, _ color: SRGBColor) throws
        -> Image
    {
        if margins.isEmpty { return self }
        let greatest = format == .uchar ? 255.0 : 65535
        var values = try color.values(inProfileOf: self)
        if bands == 4 {
            values.append(color.alpha)
        } else {
            values = values.map { $0 * color.alpha }
        }
        return try applying(
            "embed",
            [
                "x": .integer(margins.left), "y": .integer(margins.top),
                "width": .integer(margins.left + width + margins.right),
                "height": .integer(margins.top + height + margins.bottom),
                "extend": "background",
                "background": .doubles(values.map { ($0 * greatest).rounded() }),
            ])
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Borders.self, host: host)
}
