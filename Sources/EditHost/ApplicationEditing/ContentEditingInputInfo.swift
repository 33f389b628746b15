// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Information about the answer to a request for a ``ContentEditingInput``.
public struct ContentEditingInputInfo: Sendable {
    /// The identifier of the request.
    public let requestID: ContentEditingInputRequestID
    /// True if the request was cancelled. In that case, there is neither an input nor an error.
    public let isCancelled: Bool
    /// The `HostError` or `LibraryError`, with the asset, if there is no input.
    public let error: (any Error)?
}
