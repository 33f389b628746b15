// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

/// A contact sheet as A4 pages: a PDF file with the pictures as JPEG files and the captions as text, or pages of
/// pixels.
struct PagedContactSheet: ContactSheet {
    /// The minimum number of pixels per point of a page of pixels, so that text is legible.
    private static let minimumScale = 1.8

    let layout: ContactSheetLayout
    private let count: Int
    private let cell: PixelSize
    private let canvas: PageCanvas
    private var index = 0

    /// - Parameters:
    ///   - count: The number of pictures.
    ///   - cell: The size of the box of each picture, in pixels.
    ///   - lines: The largest number of lines in a caption.
    ///   - format: `pdf`, or `jpeg` for pixels.
    /// - Throws: `HostError` with `badConfiguration` if the libraries that draw pages are missing.
    init(of count: Int, cell: PixelSize, lines: Int, _ format: ContactSheetFormat) throws {
        (self.count, self.cell) = (count, cell)
        layout = ContactSheetLayout(
            of: count, cell: cell, columns: Self.printedColumns(of: cell), lines: lines)
        let (width, height) = ContactSheetLayout.page
        canvas =
            format == .pdf
            ? try PageCanvas(width: width, height: height, title: "Contact sheet")
            : try PageCanvas(
                width: width, height: height, scale: max(Self.minimumScale, 1 / layout.scale))
    }

    /// The size of a page in pixels; `nil` for PDF.
    var pixelSize: PixelSize? { canvas.pixelSize }

    var head: Data { Data() }

    func end() throws -> Data {
        // A sheet without pictures has an empty page.
        let page = count == 0 ? try canvas.endPage() : Data()
        return try pixelSize == nil ? page + canvas.finish() : page
    }

    mutating func entry(_ image: EncodedImage?, _ caption: [String]) throws -> Data {
        // The cache of an untrusted library may have other files.
        let image = image.flatMap { $0.format == .jpeg && fits($0.size) ? $0 : nil }
        return try entry(caption, image?.size) { [canvas, layout] x, y in
            if let image { canvas.draw(image, x: x, y: y, scale: layout.scale) }
        }
    }

    /// Draws the next picture as pixels.
    ///
    /// - Returns: The pixels of the page that the picture completes; empty if there is none.
    mutating func entry(_ image: AssetImage?, _ caption: [String]) throws -> Data {
        let image = image.flatMap { $0.pixelFormat == .rgb8 && fits($0.size) ? $0 : nil }
        return try entry(caption, image?.size) { [canvas, layout] x, y in
            if let image { canvas.draw(image, x: x, y: y, scale: layout.scale) }
        }
    }

    private func fits(_ size: PixelSize) -> Bool {
        size.width <= cell.width && size.height <= cell.height
    }

    private mutating func entry(
        _ caption: [String], _ size: PixelSize?, draw: (_ x: Double, _ y: Double) -> Void
    ) throws -> Data {
        let (x, y) = layout.corner(of: index)
        let (width, box) = (layout.columnWidth, layout.box)
        let left = x + (width - box.width) / 2
        if let size {
            draw(
                left + (box.width - Double(size.width) * layout.scale) / 2,
                y + (box.height - Double(size.height) * layout.scale) / 2)
        } else {
            canvas.drawOutline(x: left, y: y, width: box.width, height: box.height)
            let top = y + (box.height - ContactSheetLayout.fontSize) / 2
            canvas.draw(Self.failureNote, x: left, y: top, width: box.width)
        }
        for (number, words) in caption.prefix(layout.lines).enumerated() {
            let top = y + layout.captionOffset + Double(number) * ContactSheetLayout.line
            canvas.draw(words, x: x, y: top, width: width)
        }
        index += 1
        guard index % layout.capacity == 0 || index == count else { return Data() }
        let page = (index + layout.capacity - 1) / layout.capacity
        canvas.draw(
            "\(page) / \(layout.pageCount)", x: 0, y: ContactSheetLayout.pageNumberTop,
            width: ContactSheetLayout.page.width)
        return try canvas.endPage()
    }
}
