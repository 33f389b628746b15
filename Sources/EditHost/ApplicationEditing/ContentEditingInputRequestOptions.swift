// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// How an application wants the input of an edit of its own. Plug-ins' edits know nothing of it.
public struct ContentEditingInputRequestOptions: Sendable {
    /// Whether the application can read the recipe of the last edit, and wants to change that edit:
    /// then it gets the recipe and the pixels before it, and its own edit replaces it. Else it gets the
    /// current pixels, and its edit comes on top. Not asked where the asset has no edit.
    public var canHandleAdjustmentData: @Sendable (AdjustmentData) -> Bool = { _ in false }
    /// Whether an original that is away may be fetched over a network. This version fetches none.
    public var isNetworkAccessAllowed = false
    /// Told what fraction of the work is done, from 0, before any, to 1; may set `stop` to cancel the
    /// request. Called on any thread, one call after the other.
    public var progressHandler: (@Sendable (_ fraction: Double, _ stop: inout Bool) -> Void)?
    /// Whether to leave out ``ContentEditingInput/displaySizeImage``, which saves its making.
    public var skipsDisplaySizeImage = false

    /// Makes the options that hold where none are given.
    public init() {}
}
