// SPDX-License-Identifier: Apache-2.0

extension MovieRewriting {
    /// Returns the new `moov` box: the old boxes in their order, with the new tracks after the last track.
    ///
    /// - Parameter tracks: The serialised boxes of the new tracks.
    func description(adding tracks: [UInt8]) throws(MovieError) -> [UInt8] {
        let last = movie.children.boxes.last { $0.type == "trak" }
        var contents: [UInt8] = []
        for child in movie.children.boxes {
            contents += try replacement(of: child)
            if child == last { contents += tracks }
        }
        if last == nil { contents += tracks }
        if let box = metadata?.box { contents += box }
        return .box("moov", contents)
    }

    private func replacement(of child: Box) throws(MovieError) -> [UInt8] {
        let bytes = movie.bytes
        switch child.type {
        case "mvhd":
            let identifiers = movie.tracks.map(\.identifier) + newTracks.map(\.identifier)
            let last = identifiers.max() ?? 0
            return movie.header.box(
                duration: newTracks.map(\.duration).reduce(movie.duration, max),
                nextTrack: last == .max ? last : last + 1)
        case "trak" where child == movie.videoTrack?.box:
            guard let box = videoMetadata?.box else { return bytes.copy(child) }
            return .box("trak", Array(bytes.bytes[child.contents]) + box)
        case "meta" where metadata != nil:
            return try MetadataItems(bytes, child) == nil ? bytes.copy(child) : []
        case "udta" where metadata != nil: return try userData(child)
        default: return bytes.copy(child)
        }
    }

    /// Returns the user data without the metadata that moved to `moov`; empty if nothing remains.
    private func userData(_ box: Box) throws(MovieError) -> [UInt8] {
        let bytes = movie.bytes
        let result = try bytes.rebuilding(box) { (child) throws(MovieError) in
            guard child.type == "meta" else { return bytes.copy(child) }
            return try MetadataItems(bytes, child) == nil ? bytes.copy(child) : []
        }
        return result.count > 8 ? result : []
    }
}
