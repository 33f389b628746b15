// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// Stored pixels of the asset as it is after one of its edits.
public struct Rendition: Hashable, Sendable {
    /// What a rendition is for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Encoded once for the user: what is shown and exported.
        case current
        /// Stored without loss, for later edits to start from.
        case base
    }

    /// What it is for.
    public let kind: Kind
    /// The hash of everything that determines it; equal keys, equal bytes.
    public let key: SHA256Digest
    /// The hash that opens the bytes.
    public let blob: SHA256Digest
    /// Width in pixels.
    public let pixelWidth: Int
    /// Height in pixels.
    public let pixelHeight: Int
    /// The file's format.
    public let format: MediaFormat
    /// When it was rendered.
    public let createdDate: Date
    /// What the key was made of, in the words of whoever rendered it: for saying why it is stale.
    public let ingredients: Data
}
