// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// The result of a change to an asset's edits, such as an edit by an extension, a copy of edits, or an undo.
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

    /// The outcome of a change.
    public enum Status: String, Sendable {
        /// The change is stored in the library.
        case committed
        /// There was nothing to change, so nothing was committed.
        case unchanged
    }

    /// The asset's history after the change.
    public let history: AssetHistory
    /// True if anything was committed.
    public internal(set) var hasChanged = false
    /// The extension that edited the asset; nil unless the change was a single edit by an extension.
    public internal(set) var extensionIdentifier: String?
    /// The state that the extension received as its input; nil unless ``extensionIdentifier`` is set.
    public internal(set) var input: Input?
    /// The identifier of the lowest edit that is new in the edit stack, or nil if none is.
    public internal(set) var editIdentifier: String?
    /// True if an existing edit was continued, rather than a new one added.
    package internal(set) var isUpdate = false
    /// Warnings for the user, such as metadata of the original that is missing from the new rendition.
    public internal(set) var warnings: [String] = []

    init(history: AssetHistory) { self.history = history }

    /// The local identifier of the asset.
    public var assetIdentifier: String { history.asset.localIdentifier }
    /// The outcome of the change.
    public var status: Status { hasChanged ? .committed : .unchanged }
    /// The SHA-256 of the new rendition, or nil if nothing was committed or the original is current.
    public var rendition: SHA256Digest? {
        hasChanged ? history.chain.last?.current?.blob : nil
    }
}
