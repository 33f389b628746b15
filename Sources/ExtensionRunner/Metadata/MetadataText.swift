// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Makes texts of metadata that people have written fit for ``PhotoMetadata``. One that is too long is
/// cut: its beginning is worth more than nothing.
enum MetadataText {
    /// A text of one line.
    static func line(_ text: String) -> String? {
        // More than this is cut in any case, and need not be looked through.
        let parts = beginning(of: text, PhotoMetadata.maximumTextLength * 16)
            .split { $0.isNewline || $0 == "\t" }
        return PhotoMetadata.text(
            beginning(of: parts.joined(separator: " "), PhotoMetadata.maximumTextLength))
    }

    /// A text of several lines.
    static func lines(_ text: String) -> String? {
        PhotoMetadata.description(beginning(of: text, PhotoMetadata.maximumDescriptionLength))
    }

    /// As many whole characters as so many bytes of UTF-8 have room for.
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
