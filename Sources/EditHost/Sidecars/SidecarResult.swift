// SPDX-License-Identifier: Apache-2.0

/// The result of writing the sidecar of one asset.
public struct SidecarResult: Sendable {
    /// The outcome for a sidecar.
    public enum Status: String, Sendable {
        /// The sidecar was written, or would be.
        case written
        /// The sidecar has the library's values, or there is no value to write.
        case unchanged
        /// The asset has no referenced original beside which a sidecar could be written.
        case skipped
        /// The sidecar was not written because of an error.
        case failed
    }

    /// The local identifier of the asset.
    public let assetIdentifier: String
    /// The path of the sidecar; nil if the asset has no referenced original.
    public let path: String?
    /// The outcome for the sidecar.
    public let status: Status
    /// The reason why the sidecar was skipped; nil in other cases.
    public let reason: String?
    /// The error because of which it was not written.
    public let error: (any Error)?

    init(
        _ identifier: String, _ path: String?, _ status: Status, reason: String? = nil,
        error: (any Error)? = nil
    ) {
        assetIdentifier = identifier
        self.path = path
        self.status = status
        self.reason = reason
        self.error = error
    }
}
