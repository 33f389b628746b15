// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// The description of a movie: the `moov` box of a QuickTime or MP4 file, in memory.
///
/// See Apple's *QuickTime File Format*, "Movie atoms". The file is untrusted. Reading it never traps, and
/// memory use is at most a small multiple of ``maximumLength``.
package struct Movie: Sendable {
    /// The maximum length of a `moov` box in bytes: 64 MiB.
    package static let maximumLength = 64 << 20

    /// The number of units per second, for ``duration`` and edit lists.
    package var timescale: UInt32 { header.timescale }
    /// The duration of the movie in units of ``timescale``.
    package var duration: UInt64 { header.duration }
    /// The tracks in file order.
    package let tracks: [Track]

    let layout: MovieLayout
    let bytes: BoxBytes
    let box: Box
    let children: BoxList
    let header: MovieHeader

    /// Reads and validates the description of a movie.
    ///
    /// - Throws: `notAMovie`, `damaged`, `tooLarge`, `unsupported`, `readFailed`.
    package init(reading file: OpenFile) throws(MovieError) {
        layout = try MovieLayout(of: file)
        let content = try Self.content(of: file, layout)
        bytes = BoxBytes(bytes: content)
        box = Box(
            type: "moov", range: 0..<content.count,
            contents: layout.movie.headerLength..<content.count)
        children = try bytes.children(of: box)
        guard try children.optional("cmov") == nil else {
            throw MovieError(.unsupported, "its moov box is compressed")
        }
        header = try MovieHeader(bytes, children.only("mvhd"))
        var tracks: [Track] = []
        for box in children.boxes where box.type == "trak" {
            tracks.append(try Track(bytes, box))
        }
        guard Set(tracks.map(\.identifier)).count == tracks.count else {
            throw .damaged("two of its tracks have the same number")
        }
        self.tracks = tracks
    }

    /// Returns whether a four-character code occurs anywhere in the movie description, which may be damaged.
    static func mentions(_ type: BoxType, in file: OpenFile) throws(MovieError) -> Bool {
        var last: UInt32 = 0
        return try content(of: file, MovieLayout(of: file)).contains { byte in
            last = last << 8 | UInt32(byte)
            return last == type.rawValue
        }
    }

    private static func content(
        of file: OpenFile, _ layout: MovieLayout
    ) throws(MovieError) -> [UInt8] {
        guard layout.movie.length <= maximumLength else {
            throw MovieError(.tooLarge, "its moov box has \(layout.movie.length) bytes")
        }
        return try file.bytes(at: layout.movie.offset, count: layout.movie.length)
    }

    /// The timed metadata tracks: handler `meta` with samples of the format `mebx`.
    package var timedMetadataTracks: [Track] { tracks.filter(\.isTimedMetadata) }

    /// The first video track; `nil` if there is none.
    var videoTrack: Track? { tracks.first { $0.handler == "vide" } }
}

/// The movie header box, `mvhd`.
struct MovieHeader: Sendable {
    let timescale: UInt32
    let duration: UInt64
    private let contents: [UInt8]

    init(_ bytes: BoxBytes, _ box: Box) throws(MovieError) {
        let range = box.contents
        let version = try bytes.number(1, at: 0, in: range)
        guard version <= 1 else { throw MovieError(.unsupported, "mvhd has version \(version)") }
        let isLong = version == 1
        timescale = try bytes.uint32(at: isLong ? 20 : 12, in: range)
        duration = try bytes.number(isLong ? 8 : 4, at: isLong ? 24 : 16, in: range)
        guard timescale > 0, range.count >= (isLong ? 112 : 100) else {
            throw .damaged("the mvhd box is invalid")
        }
        contents = Array(bytes.bytes[range])
    }

    /// Returns the box with another duration and next track identifier.
    func box(duration: UInt64, nextTrack: UInt32) -> [UInt8] {
        let isLong = contents[0] == 1
        let end = isLong ? 32 : 20
        var made: [UInt8] = []
        if !isLong, duration <= UInt32.max {
            made = contents
            made.set(duration, bytes: 4, at: 16)
        } else {
            made = [1] + contents[1..<4]
            let width = isLong ? 8 : 4
            for start in [4, 4 + width] {
                made += [UInt8](repeating: 0, count: 8 - width) + contents[start..<start + width]
            }
            made.append(timescale, bytes: 4)
            made.append(duration, bytes: 8)
            made += contents[end...]
        }
        // The identifier follows 76 bytes of rate, volume, matrix and preview after the times.
        made.set(nextTrack, bytes: 4, at: made.count - (contents.count - end) + 76)
        return .box("mvhd", made)
    }
}
