// SPDX-License-Identifier: Apache-2.0

import Library

/// The method by which an import adds files to the library.
public enum ImportMethod: String, Sendable, CaseIterable {
    /// Copies the files and leaves them in place. Copies share the blocks of the files if the file system
    /// supports that.
    case copy
    /// Copies the files, and removes each one once the library has stored it durably.
    case move
    /// Leaves the files in place and stores references to them instead of bytes.
    case reference
}
