// SPDX-License-Identifier: Apache-2.0

extension Movie {
    /// The values of the movie's metadata, by their keys; of several values of a key the first.
    ///
    /// - Throws: `damaged`, `tooLarge`.
    package func metadata() throws(MovieError) -> [MetadataKey: MetadataValue] {
        var values: [MetadataKey: MetadataValue] = [:]
        for item in try metadataItems().items where values[item.key] == nil {
            values[item.key] = item.values.first
        }
        return values
    }

    /// The values of the box `meta` in `moov`, and those of other keys in that of its `udta`, which libavformat
    /// writes.
    func metadataItems() throws(MovieError) -> MetadataItems {
        var all = MetadataItems()
        for box in try metadataBoxes() {
            if let items = try MetadataItems(bytes, box) { all.add(items) }
        }
        return all
    }

    private func metadataBoxes() throws(MovieError) -> [Box] {
        var boxes = children.boxes.filter { $0.type == "meta" }
        if let data = try children.optional("udta") {
            boxes += try bytes.boxes(in: data.contents).filter { $0.type == "meta" }
        }
        return boxes
    }

    /// The values of a track's own box `meta`.
    func metadataItems(of track: Track) throws(MovieError) -> MetadataItems {
        guard let box = try track.children.optional("meta") else { return MetadataItems() }
        return try MetadataItems(bytes, box) ?? MetadataItems()
    }
}
