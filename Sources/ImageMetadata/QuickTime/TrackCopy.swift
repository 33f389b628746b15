// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// A copy of a track for another movie: the box `trak` with a new identifier, times, references and chunk
/// offsets.
struct TrackCopy {
    let movie: Movie
    let track: Track
    let samples: SampleTable
    /// The edits in units of the other movie.
    let edits: EditList
    /// The identifier of the copy.
    let identifier: UInt32
    /// The track identifiers in the other movie, keyed by those in this one.
    let identifiers: [UInt32: UInt32]

    private var bytes: BoxBytes { movie.bytes }

    /// Throws an error if the samples are not in the movie file itself ("Data reference atoms", flag 1).
    static func requireSamplesInSameFile(_ track: Track, of movie: Movie) throws(MovieError) {
        let bytes = movie.bytes
        let media = try bytes.children(of: track.children.only("mdia"))
        let information = try bytes.children(of: media.only("minf"))
        let references = try bytes.children(of: information.only("dinf")).only("dref")
        let count = try bytes.entryCount(
            at: 4, width: 12, limit: BoxBytes.maximumBoxes, in: references)
        let range = references.contents.lowerBound + 8..<references.contents.upperBound
        let entries = try bytes.boxes(in: range)
        guard entries.count == count else { throw .damaged("the dref box is invalid") }
        for entry in entries where try bytes.uint32(at: 0, in: entry.contents) & 1 == 0 {
            throw MovieError(.unsupported, "its samples are in another file")
        }
        guard try track.sampleTable.optional("saio") == nil else {
            throw MovieError(.unsupported, "it has auxiliary sample information")
        }
    }

    /// The byte ranges of the samples in the source file, in output order.
    var pieces: [Range<Int>] { samples.chunks.map { $0.offset..<$0.offset + $0.length } }

    /// Returns the `trak` box for contiguous samples that start at an offset in the new file.
    func box(at offset: Int) throws(MovieError) -> [UInt8] {
        try bytes.rebuilding(track.box) { (child) throws(MovieError) in
            switch child.type {
            case "tkhd":
                // The edit list follows the track header.
                track.header.box(identifier: identifier, duration: edits.length) + edits.box
            case "edts": []
            case "tref": try references(child)
            case "mdia": try media(child, at: offset)
            default: bytes.copy(child)
            }
        }
    }

    /// Returns the track references, limited to tracks of the other movie.
    private func references(_ box: Box) throws(MovieError) -> [UInt8] {
        let result = try bytes.rebuilding(box) { (kind) throws(MovieError) in
            var targets: [UInt8] = []
            for position in stride(from: 0, to: kind.contents.count - 3, by: 4) {
                let old = try bytes.uint32(at: position, in: kind.contents)
                if let new = identifiers[old] { targets.append(new, bytes: 4) }
            }
            return targets.isEmpty ? [] : .box(kind.type, targets)
        }
        return result.count > 8 ? result : []
    }

    private func media(_ box: Box, at offset: Int) throws(MovieError) -> [UInt8] {
        try bytes.rebuilding(box) { (child) throws(MovieError) in
            guard child.type == "minf" else { return bytes.copy(child) }
            return try bytes.rebuilding(child) { (child) throws(MovieError) in
                guard child.type == "stbl" else { return bytes.copy(child) }
                return try bytes.rebuilding(child) { (table) throws(MovieError) in
                    ["stco", "co64"].contains(table.type) ? chunks(at: offset) : bytes.copy(table)
                }
            }
        }
    }

    /// Returns the chunk offset table for the new offsets.
    private func chunks(at offset: Int) -> [UInt8] {
        var (offsets, position) = ([Int](), offset)
        for chunk in samples.chunks {
            offsets.append(position)
            position += chunk.length
        }
        return Self.chunkTable(offsets)
    }

    /// Returns the box `stco`, or `co64` if an offset exceeds 32 bits.
    static func chunkTable(_ offsets: [Int]) -> [UInt8] {
        let isLong = offsets.contains { $0 > UInt32.max }
        var table: [UInt8] = []
        table.append(offsets.count, bytes: 4)
        for offset in offsets { table.append(offset, bytes: isLong ? 8 : 4) }
        return .fullBox(isLong ? "co64" : "stco", table)
    }
}
