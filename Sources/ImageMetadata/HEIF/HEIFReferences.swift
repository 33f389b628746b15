// SPDX-License-Identifier: Apache-2.0

/// References that libheif before 1.17 rejects. Phones write metadata, thumbnails and auxiliary pictures that refer to
/// no item or to several. libheif can open the file if these references are hidden.
package enum HEIFReferences {
    /// Whether the error message of a loader reports such references.
    package static func areReported(by message: String) -> Bool {
        [
            "Metadata not correctly assigned to image", "Too many auxiliary image references",
            "Too many thumbnail references",
        ].contains { message.contains($0) }
    }

    /// Returns a copy in which these references have an unknown type, and all offsets are unchanged. Returns `nil` if
    /// there are none.
    package static func hidden(in bytes: Bytes) -> Bytes? {
        let rejected = HEIFItems(bytes)?.references.filter {
            ["cdsc", "auxl", "thmb"].contains($0.type) && $0.targets.count != 1
        }
        guard let rejected, !rejected.isEmpty else { return nil }
        var copy = Array(bytes.memory)
        for reference in rejected where copy.indices.contains(reference.typeOffset + 3) {
            copy[reference.typeOffset + 3] = UInt8(ascii: "_")
        }
        return Bytes(copy)
    }
}
