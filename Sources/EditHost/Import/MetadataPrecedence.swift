// SPDX-License-Identifier: Apache-2.0

import Library

/// Which value an import uses if a file and its XMP sidecar state different ones. The date and the exposure time always
/// come from the file if it states them.
public enum MetadataPrecedence: String, Sendable, CaseIterable {
    /// The sidecar's, because programs for photographers write there what their users set.
    case sidecar
    /// The file's. A rating of 0 in the file counts as none if a sidecar states one.
    case file
    /// That of the file that was changed last, by the date in its XMP, or otherwise its modification time.
    case newest
}
