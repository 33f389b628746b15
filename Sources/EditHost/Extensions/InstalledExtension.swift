// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// An extension that was found in one of the folders that are searched.
public struct InstalledExtension: Sendable {
    /// What can be done with it.
    public enum Status: String, Sendable {
        /// It can be used.
        case available
        /// Another of the same identifier was found before it.
        case shadowed
        /// Its manifest or its library is wrong.
        case unusable
    }

    /// The identifier; where the manifest cannot be read, the folder's name.
    public let identifier: String
    /// The folder, `Name.editingextension`.
    public let path: String
    /// The manifest; nil where it cannot be read.
    public let manifest: ExtensionManifest?
    /// The SHA-256 of the bytes that ``manifest`` was read from.
    let manifestHash: SHA256Digest?
    /// What can be done with it.
    public let status: Status
    /// Why it is shadowed or unusable.
    public let reason: String?
}
