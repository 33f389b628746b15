// SPDX-License-Identifier: Apache-2.0

import Library

/// The result of re-rendering one asset.
public struct RerenderResult: Sendable {
    /// The outcome of re-rendering an asset.
    public enum Status: String, Sendable {
        /// The rendition was re-rendered.
        case rendered
        /// The rendition would be re-rendered, but this was a dry run.
        case stale
        /// The rendition is up to date, or the asset has no edits.
        case upToDate
        /// The rendition could not be rendered.
        case failed
    }

    /// The local identifier of the asset.
    public let assetIdentifier: String
    /// The outcome.
    public let status: Status
    /// The reason why the rendition is stale, was re-rendered, is up to date or failed.
    public let reason: String
    /// The error, if re-rendering failed.
    public var error: (any Error)?
}
