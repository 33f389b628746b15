// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost

/// The file formats of contact sheets. The raw value is the filename extension.
package enum ContactSheetFormat: String, Sendable {
    /// One grid without pages.
    case svg
    /// A page for browsers, which they print with page breaks.
    case html
    /// Pages of paper.
    case pdf
    /// Pages of paper, each in a file of its own.
    case jpeg = "jpg"

    /// Creates the format of a filename extension in any case; `nil` if it is none of them.
    package init?(filenameExtension: String) {
        let name = filenameExtension.lowercased()
        self.init(rawValue: name == "jpeg" ? "jpg" : name)
    }

    /// Creates an empty sheet. That of JPEG has entries of pixels.
    ///
    /// - Parameters:
    ///   - count: The number of pictures.
    ///   - cell: The size of the box of each picture, in pixels.
    ///   - lines: The largest number of lines in a caption.
    /// - Throws: `HostError` if the libraries that draw pages are missing.
    func sheet(of count: Int, cell: PixelSize, lines: Int) throws -> any ContactSheet {
        switch self {
        case .svg: SVGContactSheet(of: count, cell: cell, lines: lines)
        case .html: HTMLContactSheet(cell: cell)
        case .pdf, .jpeg: try PagedContactSheet(of: count, cell: cell, lines: lines, self)
        }
    }

    /// Requires that the boxes are small enough for the format.
    ///
    /// - Throws: `HostError` with `badRequest`. Larger pictures keep their colour profiles, but pages are in sRGB.
    func require(_ cell: PixelSize) throws {
        let limit = ImageManager.displaySize
        guard self == .pdf || self == .jpeg, max(cell.width, cell.height) > limit else { return }
        throw HostError(
            .badRequest,
            "the pictures of a PDF or JPEG contact sheet have at most \(limit)x\(limit) pixels; "
                + "give a smaller --size")
    }
}
