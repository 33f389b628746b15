// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What became of the edit of one photograph.
public struct EditResult: Sendable {
    /// What an extension was given as its input.
    public enum Input: String, Sendable {
        /// The original: there was no edit yet, or the first one was replaced.
        case original
        /// The state before the edit that was continued.
        case previous
        /// The state with all edits.
        case current
    }

    /// How it ended.
    public enum Status: String, Sendable {
        /// Output and recipe are in the library.
        case committed
        /// Nothing has changed, so nothing was committed.
        case unchanged
        /// It failed; the asset is as it was.
        case failed
    }

    /// The asset.
    public let assetIdentifier: String
    /// The extension.
    public let extensionIdentifier: String
    /// What the extension was given; nil where it did not come to that.
    public var input: Input?
    /// The identifier of the new edit.
    public var editIdentifier: String?
    /// The hash of the new rendition's bytes.
    public var rendition: SHA256Digest?
    /// How it ended.
    public var status: Status
    /// Why it failed.
    public var error: (any Error)?
}
