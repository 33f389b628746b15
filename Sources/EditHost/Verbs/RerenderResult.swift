// SPDX-License-Identifier: Apache-2.0

/// What became of the re-rendering of one asset.
public struct RerenderResult: Sendable {
    /// How it ended.
    public enum Status: String, Sendable {
        /// Its rendition was made again.
        case rendered
        /// Its rendition would be made again: this was a dry run.
        case stale
        /// Its rendition is what its recipes give; or it has no edits.
        case upToDate
        /// Its rendition could not be made.
        case failed
    }

    /// The asset.
    public let assetIdentifier: String
    /// How it ended.
    public let status: Status
    /// Why it is stale, or why it failed.
    public let reason: String
    /// What failed.
    public var error: (any Error)?
}
