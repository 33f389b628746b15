// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// The top-level boxes of a file.
struct MovieLayout: Sendable {
    /// A top-level box, with its offset in the file.
    struct FileBox: Sendable {
        let type: BoxType
        let offset: Int
        /// The length including the header.
        let length: Int
        let headerLength: Int
        /// Whether the box has no size and extends to the end of the file.
        let isOpen: Bool
    }

    /// The length of the file in bytes.
    let fileLength: Int
    let boxes: [FileBox]
    /// The box with the movie description.
    let movie: FileBox
    /// Whether the file ends within its last box.
    let isTruncated: Bool

    private static let maximumBoxes = 1 << 18
    /// The valid types of the first box, from the QuickTime File Format and ISO/IEC 14496-12.
    private static let firstTypes: Set<BoxType> = [
        "ftyp", "moov", "mdat", "wide", "free", "skip", "pnot", "styp", "uuid",
    ]

    init(of file: OpenFile) throws(MovieError) {
        guard let length = file.length else {
            throw MovieError(.readFailed, "the length of the movie is unknown")
        }
        fileLength = length
        var boxes: [FileBox] = []
        var position = 0
        while length - position >= 8 {
            let box = try Self.box(of: file, at: position, before: length)
            if boxes.isEmpty, !Self.firstTypes.contains(box.type) {
                throw MovieError(.notAMovie, "it does not begin with a box of a movie")
            }
            guard boxes.count < Self.maximumBoxes else {
                throw MovieError(.tooLarge, "the file has too many boxes")
            }
            boxes.append(box)
            guard box.length <= length - position else { break }
            position += box.length
        }
        self.boxes = boxes
        isTruncated = position != length
        let movies = boxes.filter { $0.type == "moov" }
        guard let movie = movies.first else { throw .withoutMovie }
        guard movies.count == 1 else { throw .damaged("it has \(movies.count) moov boxes") }
        guard movie.length <= length - movie.offset else {
            throw .damaged("it ends in the middle of the moov box")
        }
        self.movie = movie
    }

    /// Reads the header of a box. The box may extend beyond the end of the file.
    private static func box(
        of file: OpenFile, at offset: Int, before end: Int
    ) throws(MovieError) -> FileBox {
        let bytes = BoxBytes(bytes: try file.bytes(at: offset, count: min(16, end - offset)))
        let header = try bytes.header(in: bytes.range)
        guard let size = header.boxLength else {
            return FileBox(
                type: header.type, offset: offset, length: end - offset,
                headerLength: header.length, isOpen: true)
        }
        guard let length = Int(exactly: size), length >= header.length else {
            // If the first box is invalid, the file does not consist of boxes at all.
            throw MovieError(
                offset == 0 ? .notAMovie : .damaged, "the box \(header.type) has an invalid size")
        }
        return FileBox(
            type: header.type, offset: offset, length: length, headerLength: header.length,
            isOpen: false)
    }
}
