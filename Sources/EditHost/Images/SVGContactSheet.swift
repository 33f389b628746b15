// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

/// A contact sheet as an SVG file. Names may use any script, because the fonts are those of the viewer; runners have
/// none.
struct SVGContactSheet: ContactSheet {
    private static let columns = 6
    private static let margin = 12
    private static let line = 17

    private let count: Int
    private let cell: PixelSize
    /// The height of a caption.
    private let label: Int
    private var index = 0

    /// - Parameters:
    ///   - count: The number of pictures.
    ///   - cell: The size of the box of each picture, in pixels.
    ///   - lines: The largest number of lines in a caption.
    init(of count: Int, cell: PixelSize, lines: Int) {
        (self.count, self.cell) = (count, cell)
        label = lines * Self.line + 5
    }

    var head: Data { Data(headText.utf8) }

    private var headText: String {
        let columns = min(max(1, count), Self.columns)
        let rows = (count + Self.columns - 1) / Self.columns
        let width = Self.margin + columns * (cell.width + Self.margin)
        let height = Self.margin + rows * (cell.height + label + Self.margin)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)">
            <rect width="100%" height="100%" fill="white"/>

            """
    }

    func end() -> Data { Data("</svg>\n".utf8) }

    mutating func entry(_ image: EncodedImage?, _ caption: [String]) -> Data {
        let x = Self.margin + index % Self.columns * (cell.width + Self.margin)
        let y = Self.margin + index / Self.columns * (cell.height + label + Self.margin)
        index += 1
        let middle = x + cell.width / 2
        var entry =
            image.map { picture($0, x: x, y: y) }
            ?? text(Self.failureNote, x: middle, y: y + cell.height / 2, width: cell.width - 16)
        for (number, words) in caption.enumerated() {
            let base = y + cell.height + 15 + number * Self.line
            entry += text(words, x: middle, y: base, width: cell.width)
        }
        return Data(entry.utf8)
    }

    /// Returns a picture in the middle of its box.
    private func picture(_ image: EncodedImage, x: Int, y: Int) -> String {
        let left = x + (cell.width - image.size.width) / 2
        let top = y + (cell.height - image.size.height) / 2
        return "<image x=\"\(left)\" y=\"\(top)\" width=\"\(image.size.width)\" "
            + "height=\"\(image.size.height)\" href=\"data:\(image.format.contentType);base64,"
            + image.data.base64EncodedString() + "\"/>\n"
    }

    private func text(_ words: String, x: Int, y: Int, width: Int) -> String {
        let words = words.printable
        // A letter is about 7 pixels wide.
        let limit = max(4, width / 7)
        let shown = words.count > limit ? "\(words.prefix(limit - 1))…" : words
        return "<text x=\"\(x)\" y=\"\(y)\" font-family=\"sans-serif\" font-size=\"13\" "
            + "text-anchor=\"middle\" unicode-bidi=\"isolate\"><title>\(words.markup)</title>"
            + "\(shown.markup)</text>\n"
    }
}
