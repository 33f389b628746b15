// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The places of the pictures of a contact sheet on A4 pages. Lengths are in points, from the top left corner.
struct ContactSheetLayout {
    /// The size of a page.
    static let page = (width: 210 * 72 / 25.4, height: 297 * 72 / 25.4)
    /// The font size of captions.
    static let fontSize = 7.0
    /// The distance from the baseline of one line of a caption to that of the next.
    static let line = 10.0
    private static let margin = 12 * 72 / 25.4
    private static let gap = 12.0
    private static let captionGap = 3.0

    /// The width and the height of a picture's box.
    let box: (width: Double, height: Double)
    /// The width of a pixel of a picture.
    let scale: Double
    /// The distance between the tops of rows.
    private let rowHeight: Double
    /// The width of a column.
    let columnWidth: Double
    private let columns: Int
    /// The maximum number of pictures on a page.
    let capacity: Int
    /// The number of pages, at least 1.
    let pageCount: Int
    /// The maximum number of drawn lines in a caption.
    let lines: Int

    /// - Parameters:
    ///   - count: The number of pictures.
    ///   - cell: The size of the box of each picture, in pixels.
    ///   - columns: The number of columns.
    ///   - lines: The largest number of lines in a caption.
    init(of count: Int, cell: PixelSize, columns: Int, lines: Int) {
        self.columns = columns
        // More lines would leave no room for pictures.
        self.lines = min(lines, 30)
        let width = Self.page.width - 2 * Self.margin
        let height = Self.page.height - 2 * Self.margin
        let label = Self.captionGap + Double(self.lines) * Self.line
        columnWidth = (width + Self.gap) / Double(columns) - Self.gap
        let (cellWidth, cellHeight) = (Double(max(1, cell.width)), Double(max(1, cell.height)))
        scale = min(columnWidth / cellWidth, (height - label) / cellHeight)
        box = (cellWidth * scale, cellHeight * scale)
        rowHeight = box.height + label + Self.gap
        capacity = columns * max(1, Int((height + Self.gap) / rowHeight))
        pageCount = max(1, (count + capacity - 1) / capacity)
    }

    /// Returns the corner of a picture's column.
    func corner(of index: Int) -> (x: Double, y: Double) {
        let (row, column) = (index % capacity).quotientAndRemainder(dividingBy: columns)
        return (
            Self.margin + Double(column) * (columnWidth + Self.gap),
            Self.margin + Double(row) * rowHeight
        )
    }

    /// The distance from the top of a box to the first line of the caption.
    var captionOffset: Double { box.height + Self.captionGap }

    /// The top of the page numbers.
    static var pageNumberTop: Double { page.height - margin / 2 - fontSize / 2 }
}
