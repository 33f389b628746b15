// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// A text, rendered by Pango as a mask. The mask has no margins around the visible pixels.
struct TextMask {
    /// The opacity of each pixel, in one band of 0...255. The pixels are in memory.
    let image: Image
    /// The size of the font in pixels.
    let unit: Double

    /// The maximum length of a text in Unicode scalars and in lines. It limits the time and memory for an untrusted
    /// text.
    static let longestText = 256
    static let mostLines = 16
    /// The size of the font for the first rendering, which only measures the text.
    private static let measuringSize = 32
    /// The minimum size of the font. Pango rounds the positions of glyphs to pixels, which would change the spacing in
    /// a small preview.
    private static let leastSize = 256.0
    /// The maximum width or height and the maximum number of pixels of a rendering. Cairo supports at most 32767 pixels
    /// on a side.
    private static let greatestSide = 16384.0
    private static let greatestArea = 16e6

    /// Renders the text of a watermark, at least as large as it is needed unless that would take too much memory.
    ///
    /// - Throws: `EditingExtensionError` with `badParameter` if the text or the font cannot be rendered.
    init(_ watermark: Watermark, picture: (width: Int, height: Int)) throws {
        let markup = try Self.markup(watermark.text)
        let font = try Self.font(watermark.font)
        func rendered(_ size: Int) throws -> Image {
            try Self.rendered(markup, "\(font) \(size)px", watermark.position.alignment)
        }
        let measured = try rendered(Self.measuringSize)
        let (width, height) = (Double(measured.width), Double(measured.height))
        let layout = MarkLayout(
            watermark, natural: (measured.width, measured.height),
            unit: Double(Self.measuringSize), picture: picture)
        let needed = Double(layout.height) / height * Double(Self.measuringSize)
        let greatest =
            Double(Self.measuringSize)
            * min(
                Self.greatestSide / max(width, height),
                (Self.greatestArea / (width * height)).squareRoot())
        let size = max(1, Int(min(max(needed, Self.leastSize), greatest)))
        image = try rendered(size)
        unit = Double(size)
    }

    private static func rendered(_ markup: String, _ font: String, _ align: String) throws -> Image
    {
        do {
            let operation = try ImageOperation("text")
            try operation.set("text", to: .string(markup))
            try operation.set("font", to: .string(font))
            try operation.set("align", to: .string(align))
            try operation.run()
            return try operation.image()
        } catch {
            throw EditingExtensionError.bad(
                "text", "has no visible characters, or cannot be drawn: \(error)")
        }
    }

    /// Escapes a text so that Pango renders each character instead of interpreting markup.
    private static func markup(_ text: String) throws -> String {
        let scalars = text.replacing("\r\n", with: "\n").unicodeScalars
        guard scalars.count <= longestText else {
            throw EditingExtensionError.bad(
                "text", "must have at most \(longestText) characters, not \(scalars.count)")
        }
        guard scalars.count(where: { $0 == "\n" }) < mostLines else {
            throw EditingExtensionError.bad("text", "must have at most \(mostLines) lines")
        }
        var markup = ""
        for scalar in scalars {
            switch scalar {
            case "&": markup += "&amp;"
            case "<": markup += "&lt;"
            case ">": markup += "&gt;"
            case "\n", "\t": markup.unicodeScalars.append(scalar)
            default:
                guard scalar.properties.generalCategory != .control else {
                    throw EditingExtensionError.bad(
                        "text", "must not contain the control character \(scalar.value)")
                }
                markup.unicodeScalars.append(scalar)
            }
        }
        return markup
    }

    private static func font(_ name: String) throws -> String {
        let scalars = name.unicodeScalars
        guard scalars.count <= longestText,
            !scalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw EditingExtensionError.bad(
                "font", "must be the name of a font of at most \(longestText) characters")
        }
        return name
    }
}

extension MarkPosition {
    /// The alignment of lines, in the terms of libvips.
    fileprivate var alignment: String {
        horizontal == 0 ? "low" : horizontal == 1 ? "high" : "centre"
    }
}
