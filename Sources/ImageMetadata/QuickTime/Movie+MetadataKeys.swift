// SPDX-License-Identifier: Apache-2.0

extension Movie {
    private static let maximumTimedKeys = 4096

    /// Returns the keys of the track's timed metadata values by local identifier, one dictionary per sample
    /// description.
    ///
    /// See Apple's *QuickTime File Format*, "Timed metadata sample description". Each description has a table
    /// `keys`. Its boxes have the local identifiers as types, and each contains a box `keyd`.
    func timedKeys(of track: Track) throws(MovieError) -> [[BoxType: MetadataKey]] {
        let range = try track.sampleTable.only("stsd").contents
        var (all, count) = ([[BoxType: MetadataKey]](), 0)
        for entry in try bytes.boxes(in: range.lowerBound + 8..<range.upperBound) {
            var keys: [BoxType: MetadataKey] = [:]
            // The entry starts with six reserved bytes and the data reference index.
            guard entry.contents.count >= 8 else {
                throw .damaged("a sample description ends too early")
            }
            let contents = entry.contents.dropFirst(8)
            let tables = BoxList(parent: entry.type, boxes: try bytes.boxes(in: contents))
            for box in try bytes.boxes(in: tables.only("keys").contents) {
                guard let name = try bytes.children(of: box).optional("keyd") else { continue }
                count += 1
                guard count <= Self.maximumTimedKeys else {
                    throw MovieError(.tooLarge, "a track has too many keys")
                }
                keys[box.type] = MetadataKey(
                    namespace: try bytes.type(at: 0, in: name.contents),
                    String(
                        decoding: bytes.bytes[name.contents.dropFirst(4)], as: UTF8.self))
            }
            all.append(keys)
        }
        return all
    }
}
