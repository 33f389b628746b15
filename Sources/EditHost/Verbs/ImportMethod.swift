// SPDX-License-Identifier: Apache-2.0

/// What an import does with the files.
public enum ImportMethod: String, Sendable, CaseIterable {
    /// Copies them, and leaves them where they are. Where the file system can, the copies share the
    /// blocks of the files.
    case copy
    /// Copies them, and removes each from its place when the library has it for good.
    case move
    /// Leaves them where they are, and stores no bytes: the library refers to them.
    case reference
}
