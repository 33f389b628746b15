// SPDX-License-Identifier: Apache-2.0

/// The reason why an export wrote or skipped the files of an asset.
public enum ExportReason: String, Sendable, CaseIterable {
    /// The asset is new in the folder.
    case new
    /// The pixels or the original changed.
    case content
    /// The picture was rendered again, because an extension or the host changed. The edits are the same.
    case rerendered
    /// The metadata or the name changed.
    case metadata
    /// The export settings changed.
    case settings
    /// A file is missing.
    case missing
    /// An earlier export was interrupted before its files were complete.
    case interrupted
    /// All files are written, whether they changed or not.
    case always
    /// The files are up to date.
    case unchanged
    /// Identical files exist that no export wrote. They are never replaced or removed.
    case present
    /// The files were modified by another program, and no update is due.
    case foreign
    /// The files are outdated, and the options keep them.
    case kept

    /// True if the files were written.
    public var isWritten: Bool {
        switch self {
        case .new, .content, .rerendered, .metadata, .settings, .missing, .interrupted, .always:
            true
        case .unchanged, .present, .foreign, .kept: false
        }
    }
}
