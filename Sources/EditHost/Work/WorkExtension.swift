// SPDX-License-Identifier: Apache-2.0

/// An extension of a plan, whose files are in `extensions/DIGEST/NAME.editingextension/`.
package struct WorkExtension: Codable, Equatable, Sendable {
    /// The identifier of the extension.
    package let identifier: String
    /// The version in its manifest.
    package let version: String
    /// The digest of its manifest, library and `hashedFiles`, which names its folder.
    package let digest: WorkHash
    /// The name of the folder, ending in `.editingextension`.
    package let name: String
    /// True if it runs as a trusted extension.
    package let trusted: Bool
    /// True if it may read the originals.
    package let readsOriginal: Bool

    /// The extension of the names of extension folders.
    static let ending = ".editingextension"

    /// Whether its name is a single path component.
    var isSound: Bool {
        WorkName.isComponent(name) && name.hasSuffix(Self.ending) && !identifier.isEmpty
            && identifier.utf8.count <= 255
    }
}
