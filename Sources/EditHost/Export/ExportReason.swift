// SPDX-License-Identifier: Apache-2.0

/// Why an asset's files were written by an export, or were not.
public enum ExportReason: String, Sendable, CaseIterable {
    /// It was not in the folder.
    case new
    /// It shows something else than what is in the folder.
    case content
    /// The library says something else of it.
    case metadata
    /// It is exported in another way.
    case settings
    /// A file of it is missing in the folder.
    case missing
    /// An earlier export was interrupted before its file was there.
    case interrupted
    /// Everything is written again.
    case always
    /// What is in the folder is what would be written.
    case unchanged
    /// No export wrote what is in the folder, and it is what would be written; it is never replaced or removed.
    case present
    /// Somebody has changed the file in the folder, and nothing else is to be written.
    case foreign
    /// What is in the folder is older, and is to stay.
    case kept

    /// Whether files were written.
    public var isWritten: Bool {
        switch self {
        case .new, .content, .metadata, .settings, .missing, .interrupted, .always: true
        case .unchanged, .present, .foreign, .kept: false
        }
    }
}
