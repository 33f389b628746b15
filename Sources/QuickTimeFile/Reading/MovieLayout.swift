// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// Where the boxes of a file lie that are in no other one.
struct MovieLayout: Sendable {
    /// A box of the file, by offsets in it.
    struct FileBox: Sendable {
        let type: BoxType
        let offset: Int
        /// With its header.
        let length: Int
        let headerLength: Int
        /// Whether it says no size, which means that it goes to the end of the file.
        let isOpen: Bool
    }

    /// The length of the file in bytes.
    let fileLength: Int
    let boxes: [FileBox]
    /// The box that describes the movie.
    let movie: FileBox
    /// Whether the file ends in the middle of its last box.
    let isTruncated: Bool

    private static let maximumBoxes = 1 << 18
    /// What a file may begin with, by the QuickTime File Format and ISO/IEC 14496-12.
    private static let firstTypes: Set<BoxType> = [
        "ftyp", "moov", "mdat", "wide", "free", "skip", "pnot", "styp", "uuid",
    ]

    init(of file: OpenFile) throws(MovieError) {
        guard let length = file.length else {
            throw MovieError(.readFailed, "the length of the movie is unknown")
        }
        fileLength = length
        var boxes: [FileBox] = []
        var place = 0
        while length - place >= 8 {
            let box = try Self.box(of: file, at: place, before: length)
            if boxes.isEmpty, !Self.firstTypes.contains(box.type) {
                throw MovieError(.notAMovie, "it does not begin with a box of a movie")
            }
            guard boxes.count < Self.maximumBoxes else {
                throw MovieError(.tooLarge, "the file has too many boxes")
            }
            boxes.append(box)
            guard box.length <= length - place else { break }
            place += box.length
        }
        self.boxes = boxes
        isTruncated = place != length
        let movies = boxes.filter { $0.type == "moov" }
        guard let movie = movies.first else { throw .withoutMovie }
        guard movies.count == 1 else { throw .damaged("it has \(movies.count) moov boxes") }
        guard movie.length <= length - movie.offset else {
            throw .damaged("it ends in the middle of the moov box")
        }
        self.movie = movie
    }

    /// Reads the header of a box. The box may go beyond the end of the file.
    private static func box(
        of file: OpenFile, at offset: Int, before end: Int
    ) throws(MovieError) -> FileBox {
        let header = BoxBytes(bytes: try file.bytes(at: offset, count: min(16, end - offset)))
        let short = try header.number(4, at: 0, in: header.range)
        let type = try header.type(at: 4, in: header.range)
        let isLong = short == 1
        let size = isLong ? try header.number(8, at: 8, in: header.range) : short
        let headerLength = isLong ? 16 : 8
        if short == 0 {
            return FileBox(
                type: type, offset: offset, length: end - offset, headerLength: headerLength,
                isOpen: true)
        }
        guard let length = Int(exactly: size), length >= headerLength else {
            // What is not built of boxes is seen by the first.
            throw MovieError(
                offset == 0 ? .notAMovie : .damaged, "the box \(type) has an invalid size")
        }
        return FileBox(
            type: type, offset: offset, length: length, headerLength: headerLength, isOpen: false)
    }
}

extension OpenFile {
    /// Reads bytes, all of which must be there.
    func bytes(at offset: Int, count: Int) throws(MovieError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                let memory = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count)
                filled = try fill(memory, at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw MovieError(reading: failure) }
        guard bytes.count == count else { throw .damaged("the file ends too early") }
        return bytes
    }
}
