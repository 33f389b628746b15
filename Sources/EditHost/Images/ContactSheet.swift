// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

/// A labelled grid of pictures in one self-contained file. The bytes of the file are ``head``, each ``entry(_:_:)``, and
/// ``end()``, so a sheet of any length is never held in memory.
protocol ContactSheet {
    /// The bytes before the pictures.
    var head: Data { get }
    /// Returns the bytes after the pictures.
    ///
    /// - Throws: `HostError` if the sheet cannot be drawn.
    func end() throws -> Data

    /// Returns the bytes for the next picture.
    ///
    /// - Parameters:
    ///   - image: The picture; `nil` if it cannot be rendered, which a note in its place says.
    ///   - caption: The lines of the caption, as untrusted text.
    /// - Throws: `HostError` if the sheet cannot be drawn.
    mutating func entry(_ image: EncodedImage?, _ caption: [String]) throws -> Data
}

extension ContactSheet {
    /// The note in place of a picture that cannot be rendered.
    static var failureNote: String { "cannot be rendered" }

    /// Returns the number of columns on paper. On A4, 1024 pixels across print at about 150 pixels per inch.
    static func printedColumns(of cell: PixelSize) -> Int {
        min(8, max(1, 1024 / max(1, cell.width)))
    }
}
