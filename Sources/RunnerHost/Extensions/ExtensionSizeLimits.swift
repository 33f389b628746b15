// SPDX-License-Identifier: Apache-2.0

/// The limits of the sizes of extensions, which are untrusted.
package enum ExtensionSizeLimits {
    /// The maximum size of a shared library, and of any other file in an archive, in bytes.
    static let file = 1 << 30
    /// The maximum size of all files together, and of an archive, in bytes.
    package static let total = 2 << 30
    /// The maximum number of files in an archive.
    static let archivedFiles = 512
    /// The maximum number of files and folders in a folder to be installed.
    static let installedFiles = 4096
    /// The maximum depth of nested folders in a folder to be installed.
    static let depth = 8
    /// The maximum number of zeros after the last file of an archive, in bytes.
    static let padding = 1 << 20
}
