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
    static func contains(_ type: BoxType, in file: OpenFile) throws(MovieError) -> Bool {
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
