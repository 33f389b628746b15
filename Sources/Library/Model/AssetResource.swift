// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// One of the files behind an asset.
public struct AssetResource: Hashable, Sendable {
    /// What the file is to the asset.
    public let type: AssetResourceType
    /// The asset's identifier.
    public let assetLocalIdentifier: String
    /// The name that the original came with; the name of its original for a version of it.
    public let originalFilename: String
    /// The file's format by content; `unknown` for adjustment data.
    public let format: MediaFormat
    /// The hash that opens the bytes; nil when they are away or have to be rendered.
    public let blob: SHA256Digest?
    /// Where the bytes of an original that is away can be had.
    public let remoteURL: String?
    /// What decoding told about an original.
    public let facts: PhotoFacts?
    /// Whether this is the asset's own original rather than a companion or a version of it.
    public let isPrimary: Bool
}
