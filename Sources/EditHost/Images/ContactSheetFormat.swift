// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The file formats of contact sheets. The raw value is the filename extension.
package enum ContactSheetFormat: String, Sendable {
    /// One grid without pages.
    case svg
    /// A page for browsers, which they print with page breaks.
    case html

    /// Creates an empty sheet.
    ///
    /// - Parameters:
    ///   - count: The number of pictures.
    ///   - cell: The size of the box of each picture, in pixels.
    ///   - lines: The largest number of lines in a caption.
    func sheet(of count: Int, cell: PixelSize, lines: Int) -> any ContactSheet {
        switch self {
        case .svg: SVGContactSheet(of: count, cell: cell, lines: lines)
        case .html: HTMLContactSheet(cell: cell)
        }
    }
}
