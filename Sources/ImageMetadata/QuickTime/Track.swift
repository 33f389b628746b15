// SPDX-License-Identifier: Apache-2.0

/// A track of a movie: the box `trak`. Its tables are read on demand.
package struct Track: Sendable {
    /// The track identifier, unique in the movie.
    package let identifier: UInt32
    /// The media handler, such as `vide`, `soun` or `meta`.
    package let handler: BoxType
    /// The formats of the sample descriptions, such as `mebx` or `avc1`.
    package let sampleFormats: [BoxType]
    /// The number of media time units per second.
    package let timescale: UInt32

    let box: Box
    let children: BoxList
    let header: TrackHeader
    /// The duration of the media in units of `timescale`.
    let mediaDuration: UInt64
    let sampleTable: BoxList

    private static let maximumDescriptions = 1024

    init(_ bytes: BoxBytes, _ box: Box) throws(MovieError) {
        self.box = box
        children = try bytes.children(of: box)
        header = try TrackHeader(bytes, children.only("tkhd"))
        identifier = header.identifier
        let media = try bytes.children(of: children.only("mdia"))
        let times = try media.only("mdhd").contents
        let version = try bytes.number(1, at: 0, in: times)
        guard version <= 1 else { throw MovieError(.unsupported, "mdhd has version \(version)") }
        timescale = try bytes.uint32(at: version == 1 ? 20 : 12, in: times)
        mediaDuration = try bytes.number(
            version == 1 ? 8 : 4, at: version == 1 ? 24 : 16, in: times)
        guard timescale > 0 else { throw .damaged("a track has the time scale 0") }
        handler = try bytes.type(at: 8, in: media.only("hdlr").contents)
        let information = try bytes.children(of: media.only("minf"))
        sampleTable = try bytes.children(of: information.only("stbl"))
        let descriptions = try sampleTable.only("stsd")
        let count = try bytes.entryCount(
            at: 4, width: 8, limit: Self.maximumDescriptions, in: descriptions)
        let range = descriptions.contents
        let formats = try bytes.boxes(in: range.lowerBound + 8..<range.upperBound)
        guard formats.count == count else {
            throw .damaged(
                "the number of entries in stsd is \(formats.count), but it declares \(count)")
        }
        sampleFormats = formats.map(\.type)
    }

    /// Whether this is timed metadata in the format `mebx`, "boxed metadata".
    package var isTimedMetadata: Bool {
        handler == "meta" && !sampleFormats.isEmpty && sampleFormats.allSatisfy { $0 == "mebx" }
    }
}
