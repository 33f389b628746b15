// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// The result of an edit of one photograph.
public struct EditResult: Sendable {
    /// The state that an extension received as its input.
    public enum Input: String, Sendable {
        /// The original, because there was no edit yet or the first one was replaced.
        case original
        /// The state below the edit that was continued.
        case previous
        /// The state with all edits.
        case current
    }

    /// The outcome of an edit.
    public enum Status: String, Sendable {
        /// The output and the recipe are stored in the library.
        case committed
        /// The edit changed nothing, so nothing was committed.
        case unchanged
    }

    /// The local identifier of the asset.
    public let assetIdentifier: String
    /// The identifier of the extension.
    public let extensionIdentifier: String
    /// The state that the extension received as its input.
    public var input: Input
    /// The identifier of the new edit, or nil if nothing was committed.
    public var editIdentifier: String?
    /// The SHA-256 of the new rendition, or nil if nothing was committed.
    public var rendition: SHA256Digest?
    /// The outcome of the edit.
    public var status: Status
    /// Whether an existing edit was continued, rather than a new one added.
    package var isUpdate = false
    /// Warnings for the user, such as metadata of the original that is missing from the new rendition.
    public var warnings: [String] = []
}
