// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// Information about the answer to a request for a picture.
public struct ImageRequestInfo: Sendable {
    /// The identifier of the request.
    public let requestID: ImageRequestID
    /// True if the picture is smaller or coarser than requested. The final one follows, except in the delivery mode
    /// `fastFormat`.
    public var isDegraded = false
    /// True if there is no picture because the original is a referenced file that is not on this computer.
    public var isInCloud = false
    /// True if the request was cancelled. The picture and the error are then `nil`.
    public var isCancelled = false
    /// The reason why there is no picture: a `HostError` or `LibraryError` that names the asset.
    public var error: (any Error)?

    init(_ requestID: ImageRequestID) { self.requestID = requestID }
}

/// PhotoKit's name of ``ImageRequestID/invalid``.
public let invalidImageRequestID = ImageRequestID.invalid

extension ImageRequestInfo {
    /// Runs a request and converts its errors to an info for the handler.
    static func answer<Value: Sendable>(
        _ identifier: ImageRequestID, _ body: (inout ImageRequestInfo) async throws -> Value
    ) async -> (Value?, ImageRequestInfo) {
        var info = ImageRequestInfo(identifier)
        do {
            return (try await body(&info), info)
        } catch {
            info.isDegraded = false
            info.isInCloud = error.isOriginalAway
            info.isCancelled = error.isCancellation
            info.error = info.isCancelled ? nil : error
            return (nil, info)
        }
    }
}

extension ImageRequestInfo {
    /// The info of a request that was not cancelled: a cancellation of its work is reported as a failure.
    var withoutCancel: ImageRequestInfo {
        guard isCancelled else { return self }
        var info = self
        info.isCancelled = false
        info.error = HostError(.runnerFailed, "the request ended before it was done")
        return info
    }
}

extension Error {
    /// Whether an original outside the library is missing.
    fileprivate var isOriginalAway: Bool { (self as? LibraryError)?.code == .originalMissing }

    /// Whether the error is a cancellation.
    fileprivate var isCancellation: Bool {
        self is CancellationError || (self as? HostError)?.code == .cancelled
    }
}
