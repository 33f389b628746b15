// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

/// A labelled grid of pictures in one self-contained SVG file. Names may use any script, because the fonts are those
/// of the viewer; runners have none.
struct ContactSheet {
    private static let columns = 6
    private static let margin = 12
    private static let label = 22

    private let cell: PixelSize
    private var count = 0
    private var body = Data()

    /// - Parameter cell: The size of the box of each picture, in pixels.
    init(cell: PixelSize) { self.cell = cell }

    /// Adds a picture, or a note in its place.
    mutating func add(_ image: EncodedImage?, name: String, note: String? = nil) {
        let x = Self.margin + count % Self.columns * (cell.width + Self.margin)
        let y = Self.margin + count / Self.columns * (cell.height + Self.label + Self.margin)
        count += 1
        if let image {
            let (left, top) = (
                x + (cell.width - image.size.width) / 2, y + (cell.height - image.size.height) / 2
            )
            append(
                "<image x=\"\(left)\" y=\"\(top)\" width=\"\(image.size.width)\" "
                    + "height=\"\(image.size.height)\" href=\"data:\(image.format.contentType);base64,"
            )
            body.append(image.data.base64EncodedData())
            append("\"/>\n")
        }
        if let note {
            text(note, x: x + cell.width / 2, y: y + cell.height / 2, width: cell.width - 16)
        }
        text(name, x: x + cell.width / 2, y: y + cell.height + 15, width: cell.width)
    }

    private mutating func text(_ words: String, x: Int, y: Int, width: Int) {
        // Direction overrides and invisible characters are escaped, as in terminal output.
        let words = words.printable
        // A letter is about 7 pixels wide.
        let limit = max(4, width / 7)
        let shown = words.count > limit ? "\(words.prefix(limit - 1))…" : words
        append(
            "<text x=\"\(x)\" y=\"\(y)\" font-family=\"sans-serif\" font-size=\"13\" "
                + "text-anchor=\"middle\" unicode-bidi=\"isolate\"><title>\(Self.escaped(words))</title>"
                + "\(Self.escaped(shown))</text>\n")
    }

    private mutating func append(_ text: String) { body.append(Data(text.utf8)) }

    /// Escapes untrusted text for XML.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // XML does not allow these characters.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}":
                escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The complete SVG file.
    var svg: Data {
        let columns = min(max(1, count), Self.columns)
        let rows = (count + Self.columns - 1) / Self.columns
        let width = Self.margin + columns * (cell.width + Self.margin)
        let height = Self.margin + rows * (cell.height + Self.label + Self.margin)
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)">
            <rect width="100%" height="100%" fill="white"/>

            """
        return Data(head.utf8) + body + Data("</svg>\n".utf8)
    }
}
