// SPDX-License-Identifier: Apache-2.0

/// A version of an asset. The raw values are those of PhotoKit's `PHImageRequestOptionsVersion`.
public enum ImageRequestOptionsVersion: Int, Hashable, Sendable {
    /// The version with all edits.
    case current = 0
    /// The version before any edit. For a RAW+JPEG pair, this is the JPEG.
    case unadjusted = 1
    /// The imported file in its best form. For a RAW+JPEG pair, this is the RAW.
    case original = 2
}
