// SPDX-License-Identifier: Apache-2.0

/// A version of a video. The raw values are those of PhotoKit's `PHVideoRequestOptionsVersion`.
public enum VideoRequestOptionsVersion: Int, Hashable, Sendable {
    /// The version with all edits.
    case current = 0
    /// The video as it was imported.
    case original = 1
}
