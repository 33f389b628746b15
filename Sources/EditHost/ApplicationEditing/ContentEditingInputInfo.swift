// SPDX-License-Identifier: Apache-2.0

/// What is said with the answer to a request for a ``ContentEditingInput``.
public struct ContentEditingInputInfo: Sendable {
    /// The request.
    public let requestID: ContentEditingInputRequestID
    /// Whether the request was cancelled; there is no input and no error then.
    public let isCancelled: Bool
    /// Why there is no input: a `HostError` or `LibraryError` that names the asset.
    public let error: (any Error)?
}
