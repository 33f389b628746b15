// SPDX-License-Identifier: Apache-2.0

/// What an extension says of an asset.
public struct ExtensionAnswer: Sendable {
    /// The extension.
    public let installed: InstalledExtension
    /// Whether it edits assets of this kind.
    public let isSupported: Bool
    /// Whether it can continue the asset's last edit; nil: it was not asked.
    public let canHandle: Bool?
    /// Why.
    public let reason: String
}
