// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The result of a backup or restore.
public struct BackupReport: Sendable {
    /// The number of files copied.
    public internal(set) var copiedFileCount = 0
    /// The number of bytes copied.
    public internal(set) var copiedByteCount = 0
    /// The number of files that were already present.
    public internal(set) var presentFileCount = 0
    /// The number of files removed because they are no longer referenced. A restore moves such files, which an
    /// interrupted one has left, to the folder `trash`.
    public internal(set) var removedFileCount = 0
    /// The number of copied settings, such as presets.
    public internal(set) var settingsCount = 0
    /// The number of referenced originals, which are not copied.
    public internal(set) var referencedOriginalCount = 0
    /// The error of a snapshot that cannot be read, because of which no file was removed.
    public internal(set) var unreadableSnapshot: LibraryError?
    /// The errors of files that could not be copied because they are missing or damaged.
    public internal(set) var failures: [LibraryError] = []
}
