// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// Options for the input of an application's own edit. They do not affect the edits of extensions.
public struct ContentEditingInputRequestOptions: Sendable {
    /// Returns whether the application can continue the last edit from its recipe. If so, it receives the recipe and
    /// the pixels below that edit, and its own edit replaces it. Otherwise it receives the current
    /// pixels, and its edit is added on top. Not called if the asset has no edit.
    public var canHandleAdjustmentData: @Sendable (AdjustmentData) -> Bool = { _ in false }
    /// True if an original that is offline may be downloaded. This version never downloads.
    public var isNetworkAccessAllowed = false
    /// Receives the completed fraction, from 0 at the start to 1; may set `stop` to cancel the
    /// request. Called serially, on any thread.
    public var progressHandler: (@Sendable (_ fraction: Double, _ stop: inout Bool) -> Void)?
    /// If true, ``ContentEditingInput/displaySizeImage`` is omitted, which saves rendering it.
    public var skipsDisplaySizeImage = false

    /// Creates the default options.
    public init() {}
}
