// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Normalises user-written metadata for ``PhotoMetadata``. Text that is too long is truncated rather than dropped.
enum MetadataText {
    /// Returns a text as a single line.
    static func line(_ text: String) -> String? {
        // This limits the time. A longer text is truncated in any case.
        let parts = beginning(of: text, PhotoMetadata.maximumTextLength * 16)
            .split { $0.isNewline || $0 == "\t" }
        return PhotoMetadata.text(
            beginning(of: parts.joined(separator: " "), PhotoMetadata.maximumTextLength))
    }

    /// Returns a text of several lines.
    static func lines(_ text: String) -> String? {
        PhotoMetadata.description(beginning(of: text, PhotoMetadata.maximumDescriptionLength))
    }

    /// Truncates a text to `length` bytes of UTF-8 at a character boundary.
    private static func beginning(of text: String, _ length: Int) -> String {
        let text = text.trimmingBlanks
        guard text.utf8.count > length else { return text }
        var room = length
        return String(
            text.prefix { character in
                room -= character.utf8.count
                return room >= 0
            })
    }
}
