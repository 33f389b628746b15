// SPDX-License-Identifier: Apache-2.0

import Library

/// What became of one file that was to be imported.
public struct ImportResult: Sendable {
    /// How it ended.
    public enum Status: String, Sendable {
        /// It is a new asset.
        case imported
        /// The library has it already.
        case duplicate
        /// It is not a photograph.
        case skipped
        /// It looks like one, but cannot be used.
        case rejected
    }

    /// The path as it was found.
    public let path: String
    /// The asset, new or existing.
    public var assetIdentifier: String?
    /// What the file is to the asset; nil where it is none's.
    public var resourceType: AssetResourceType?
    /// How it ended.
    public let status: Status
    /// Why it was skipped or rejected.
    public var error: (any Error)?
    /// Things worth telling, for example that only the first frame is used.
    public var warnings: [String] = []
}
