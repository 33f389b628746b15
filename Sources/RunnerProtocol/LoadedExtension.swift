// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The description of an extension to be loaded by a runner.
package struct LoadedExtension: Codable, Hashable, Sendable {
    /// The expected identifier; must equal the library's.
    package var identifier: String
    /// The expected version; must equal the library's.
    package var version: String
    /// The minor version of the C ABI in the manifest; must not be later than the library's. Nil means any.
    package var abiMinor: Int?
    /// The pixel formats that the extension accepts.
    package var pixelFormats: [PixelFormat]
    /// The allowed pixel access.
    package var access: PixelAccess

    /// Whether identifier and version are not verified, because the library is loaded to generate its manifest. Nil
    /// means no.
    package var isUnknown: Bool?

    /// The path to load the library from, so that a debugger finds its symbols. Nil means the descriptor `library`.
    package var path: String?

    /// The positions of its files in the descriptor `files`. Nil means none.
    package var files: [PackedFile]?

    /// Creates a description from a manifest.
    package init(_ manifest: ExtensionManifest, files: [PackedFile] = []) {
        self.files = files
        identifier = manifest.identifier
        version = manifest.version
        abiMinor = manifest.abiVersion?.minor
        pixelFormats = manifest.pixelFormats
        access = manifest.access
    }
}
