// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension Movie {
    /// Sets values of the metadata of a movie file, in the place of those that the keys had; the others stay.
    /// They are written to `moov`, as QuickTime has them, whichever box they were in.
    ///
    /// - Parameters:
    ///   - values: the values, in the order in which keys that are new are added.
    ///   - file: a movie file that is open for reading and writing; on failure it is as it was.
    /// - Throws: as ``init(reading:)``; `diskFull`, `writeFailed`.
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
