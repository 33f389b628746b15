// SPDX-License-Identifier: Apache-2.0

/// The number of edits that depend on an extension, for one version of its recipe format.
public struct ExtensionUsage: Hashable, Sendable {
    /// The identifier of the extension.
    public let extensionIdentifier: String
    /// The version of the extension that made the edits.
    public let extensionVersion: String
    /// The identifier of the recipe format.
    public let formatIdentifier: String
    /// The version of the recipe format.
    public let formatVersion: String
    /// The number of edits, including undone ones.
    public let editCount: Int
    /// The number of assets with such edits, including undone ones.
    public let assetCount: Int
}
