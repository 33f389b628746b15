// SPDX-License-Identifier: Apache-2.0

extension Movie {
    /// Returns the movie's metadata by key. If a key has several values, the first is used.
    ///
    /// - Throws: `damaged`, `tooLarge`.
    package func metadata() throws(MovieError) -> [MetadataKey: MetadataValue] {
        var values: [MetadataKey: MetadataValue] = [:]
        for item in try metadataItems().items where values[item.key] == nil {
            values[item.key] = item.values.first
        }
        return values
    }

    /// Returns the items of `meta` in `moov`, plus those of other keys in `meta` of `udta`, where libavformat
    /// writes them.
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

    /// Returns the items of a track's own `meta` box.
    func metadataItems(of track: Track) throws(MovieError) -> MetadataItems {
        guard let box = try track.children.optional("meta") else { return MetadataItems() }
        return try MetadataItems(bytes, box) ?? MetadataItems()
    }
}
