// SPDX-License-Identifier: Apache-2.0

/// libheif before 1.17 refuses a picture whose metadata, thumbnail or auxiliary picture refers to none or several
/// items, as phones write it. It opens the same bytes where it does not see such references.
enum HEIFReferences {
    /// Whether a loader's message says that it is they that libheif refuses.
    static func areRefused(_ message: String) -> Bool {
        [
            "Metadata not correctly assigned to image", "Too many auxiliary image references",
            "Too many thumbnail references",
        ].contains { message.contains($0) }
    }

    /// A copy in which references of these kinds to several items have another name; nothing moves.
    /// Nil where there are none.
    static func hidden(in bytes: Bytes) -> Bytes? {
        let refused = HEIFItems(bytes)?.references.filter {
            ["cdsc", "auxl", "thmb"].contains($0.type) && $0.targets.count != 1
        }
        guard let refused, !refused.isEmpty else { return nil }
        var copy = Array(bytes.memory)
        for reference in refused where copy.indices.contains(reference.typeOffset + 3) {
            copy[reference.typeOffset + 3] = UInt8(ascii: "_")
        }
        return Bytes(copy)
    }
}
