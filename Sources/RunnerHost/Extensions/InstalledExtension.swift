// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// An extension found in one of the searched folders.
public struct InstalledExtension: Sendable {
    /// The usability of an installed extension.
    public enum Status: String, Sendable {
        /// The extension can be used.
        case available
        /// Another extension with this identifier precedes it in the search order.
        case shadowed
        /// The manifest or the library is invalid or incompatible.
        case unusable
    }

    /// The identifier; if the manifest cannot be read, the name of the folder.
    public let identifier: String
    /// The path of the folder, `Name.editingextension`.
    public let path: String
    /// The manifest; nil if it cannot be read.
    public let manifest: ExtensionManifest?
    /// The SHA-256 of the bytes that ``manifest`` was read from.
    let manifestHash: SHA256Digest?
    /// The usability of the extension.
    public let status: Status
    /// The reason why it is shadowed or unusable; otherwise nil.
    public let reason: String?
    /// The error of reading the manifest; nil if it was read.
    var failure: HostError?
}
