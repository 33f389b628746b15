// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension Movie {
    /// Sets metadata values of a movie file. Values of the same keys are replaced, and other keys are kept.
    ///
    /// All values are written to `moov`, as QuickTime does, even if they were in another box.
    ///
    /// - Parameters:
    ///   - values: The values; new keys are added in this order.
    ///   - file: A movie file that is open for reading and writing. It is unchanged after a failure.
    /// - Throws: The errors of ``init(reading:)``; `diskFull`, `writeFailed`.
    package static func setMetadata(
        _ values: KeyValuePairs<MetadataKey, MetadataValue>, in file: OpenFile
    ) throws(MovieError) {
        var rewriting = try MovieRewriting(file)
        var items = try rewriting.movie.metadataItems()
        for (key, value) in values { items.set(value, for: key) }
        rewriting.metadata = items
        try rewriting.write()
    }
}
