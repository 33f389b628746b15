// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// Changes a movie file in place: adds tracks with samples, and replaces metadata.
///
/// If `moov` is the last box of the file, it is overwritten by the new samples and the new `moov`. Otherwise, they are
/// appended, and the old `moov` becomes free space. Existing samples are not moved, so the tables of other tracks
/// remain valid. The file is restored after a failure.
struct MovieRewriting {
    /// A track to add.
    struct NewTrack {
        /// The source of the sample data.
        let samples: Samples
        /// The identifier of the track in this file.
        let identifier: UInt32
        /// The presented duration in units of this movie.
        let duration: UInt64
        /// Returns the `trak` box for samples that start at an offset in this file.
        let box: (_ offset: Int) throws(MovieError) -> [UInt8]
    }

    enum Samples {
        case bytes([UInt8])
        case pieces([Range<Int>], of: OpenFile)

        var length: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .pieces(let pieces, _): pieces.reduce(0) { $0 + $1.count }
            }
        }
    }

    let file: OpenFile
    let movie: Movie
    var newTracks: [NewTrack] = []
    /// The new metadata of the movie; `nil` leaves it unchanged.
    var metadata: MetadataItems?
    /// The new metadata of the video track; `nil` leaves it unchanged.
    var videoMetadata: MetadataItems?

    init(_ file: OpenFile) throws(MovieError) {
        self.file = file
        movie = try Movie(reading: file)
        guard !movie.layout.isTruncated, movie.layout.boxes.last.map(Self.canBeFollowed) ?? false
        else { throw MovieError(.unsupported, "the file cannot be extended") }
    }

    private static func canBeFollowed(_ last: MovieLayout.FileBox) -> Bool {
        !last.isOpen || last.type == "moov"
    }

    /// Returns identifiers for new tracks that no existing track uses.
    func unusedIdentifiers(_ count: Int) -> [UInt32] {
        let used = Set(movie.tracks.map(\.identifier))
        let next = used.max().map { UInt64($0) + 1 } ?? 1
        if next + UInt64(count) < UInt32.max {
            return (0..<count).map { UInt32(next) + UInt32($0) }
        }
        return Array((1...UInt32.max).lazy.filter { !used.contains($0) }.prefix(count))
    }

    // MARK: - Writing

    /// Writes the samples and the new description, and restores the file on failure.
    func write() throws(MovieError) {
        let old = movie.layout.movie
        let isAtEnd = old.offset + old.length == movie.layout.fileLength
        let start = isAtEnd ? old.offset : movie.layout.fileLength
        let header = try mediaHeader()
        var (boxes, position) = ([UInt8](), start + header.count)
        for track in newTracks {
            boxes += try track.box(position)
            position += track.samples.length
        }
        let description = try description(adding: boxes)
        do {
            try write(header, at: start)
            position = start + header.count
            for track in newTracks { try copy(track.samples, to: &position) }
            try write(description, at: position)
            position += description.count
            if position < movie.layout.fileLength { try cut(to: position) }
            if !isAtEnd { try write(Array("free".utf8), at: old.offset + 4) }
        } catch {
            try restore()
            throw error
        }
    }

    /// Returns the header of the `mdat` box for the new samples; empty if there are none.
    private func mediaHeader() throws(MovieError) -> [UInt8] {
        let length = newTracks.reduce(0) { $0 + $1.samples.length }
        guard length > 0 else { return [] }
        guard let size = UInt32(exactly: length + 8) else {
            throw MovieError(.tooLarge, "the samples have \(length) bytes")
        }
        return .numbers(size, ("mdat" as BoxType).rawValue)
    }

    private func copy(_ samples: Samples, to position: inout Int) throws(MovieError) {
        switch samples {
        case .bytes(let bytes):
            try write(bytes, at: position)
            position += bytes.count
        case .pieces(let pieces, let source):
            for piece in pieces {
                for start in stride(from: piece.lowerBound, to: piece.upperBound, by: 1 << 20) {
                    let count = min(1 << 20, piece.upperBound - start)
                    try write(try source.bytes(at: start, count: count), at: position)
                    position += count
                }
            }
        }
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws(MovieError) {
        var failure: SystemError?
        bytes.withUnsafeBytes { bytes in
            do throws(SystemError) { try file.write(bytes, at: offset) } catch { failure = error }
        }
        if let failure { throw MovieError(writing: failure) }
    }

    private func cut(to length: Int) throws(MovieError) {
        guard retrying({ ftruncate(file.descriptor, length) }) == 0 else {
            throw MovieError(writing: SystemError("ftruncate"))
        }
    }

    /// Restores the old description and file length. This needs no disk space, because the file was not shortened.
    private func restore() throws(MovieError) {
        try write(movie.bytes.bytes, at: movie.layout.movie.offset)
        try cut(to: movie.layout.fileLength)
    }
}
