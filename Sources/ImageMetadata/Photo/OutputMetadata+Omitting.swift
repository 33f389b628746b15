// SPDX-License-Identifier: Apache-2.0

/// Omitting metadata from an output.
extension OutputMetadata {
    /// Removes all metadata.
    mutating func removeAll() {
        (block, tags, xmp, iptc) = (nil, nil, nil, nil)
    }

    /// Removes everything but the copyright.
    mutating func keepCopyright() {
        block = nil
        tags = tags.map(\.copyright).flatMap { $0.isEmpty ? nil : $0 }
        xmp = xmp.flatMap(\.withCopyrightOnly)
        if let old = iptc {
            var editor = IPTCEditor(old)
            editor.keepCopyright()
            iptc = editor.block
        }
    }

    /// Removes the names and the regions of persons. A block from which they cannot be removed is removed completely.
    mutating func removePeople() {
        if block?.removeXMP() == false { block = nil }
        if xmp?.removePeople() == false { xmp = nil }
    }

    /// Removes the location. A block from which the location cannot be removed is removed completely.
    mutating func removeLocation() {
        if block?.removeLocation() == false { block = nil }
        tags?.removeLocation()
        if xmp?.removeLocation() == false { xmp = nil }
        iptc = iptc?.withoutLocation
    }
}
