// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Information about the answer to a request for a picture.
public struct ImageRequestInfo: Sendable {
    /// The identifier of the request.
    public let requestID: ImageRequestID
    /// Whether the picture is smaller or coarser than requested. The final one follows, except in the delivery mode
    /// `fastFormat`.
    public var isDegraded = false
    /// Whether there is no picture because the original is a referenced file that is not on this computer.
    public var isInCloud = false
    /// Whether the request was cancelled. Picture and error are then `nil`.
    public var isCancelled = false
    /// The reason why there is no picture: a `HostError` or `LibraryError` that names the asset.
    public var error: (any Error)?

    init(_ requestID: ImageRequestID) { self.requestID = requestID }
}

/// PhotoKit's name of ``ImageRequestID/invalid``.
public let invalidImageRequestID = ImageRequestID.invalid
