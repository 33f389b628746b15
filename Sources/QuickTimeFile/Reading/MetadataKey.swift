// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// The name of a value of metadata.
package struct MetadataKey: Hashable, Sendable, CustomStringConvertible {
    /// What kind of name it is; `mdta` means one that begins with a reversed domain.
    package let namespace: BoxType
    /// The name, such as `com.apple.quicktime.content.identifier`.
    package let name: String

    /// Makes a key; both arguments are the properties of their names.
    package init(namespace: BoxType = "mdta", _ name: String) {
        self.namespace = namespace
        self.name = name
    }

    /// The name.
    package var description: String { name }

    /// What the instant of a Live Photo's still is marked by, in timed metadata.
    package static let stillImageTime = MetadataKey("com.apple.quicktime.still-image-time")
    /// What the halves of a Live Photo have in common.
    package static let contentIdentifier = MetadataKey("com.apple.quicktime.content.identifier")
}

extension Movie {
    private static let maximumTimedKeys = 4096

    /// What the values in samples of timed metadata mean, by the numbers that they have there, for each of the
    /// track's sample descriptions.
    ///
    /// After Apple's *QuickTime File Format*, "Timed metadata sample description": in each is a table `keys`,
    /// whose boxes have these numbers as types, with a box `keyd` in each.
    func timedKeys(of track: Track) throws(MovieError) -> [[BoxType: MetadataKey]] {
        let range = try track.sampleTable.only("stsd").contents
        var (all, count) = ([[BoxType: MetadataKey]](), 0)
        for entry in try bytes.boxes(in: range.lowerBound + 8..<range.upperBound) {
            var keys: [BoxType: MetadataKey] = [:]
            // Six reserved bytes and the number of the data reference come first.
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
