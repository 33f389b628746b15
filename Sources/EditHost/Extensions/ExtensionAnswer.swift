// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// An extension's support for editing an asset.
public struct ExtensionAnswer: Sendable {
    /// The installed extension.
    public let installed: InstalledExtension
    /// True if the extension can be used and edits assets of this media type.
    public let isSupported: Bool
    /// True if the extension can continue the asset's last edit; nil if it was not asked.
    public let canHandle: Bool?
    /// The reason for the answer, for the user.
    public let reason: String
}
