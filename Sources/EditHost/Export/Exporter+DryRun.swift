// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// In a dry run, files are empty if they would be rendered. Files that are stored, or made from stored ones without
/// rendering, are the same as in an export.
extension Exporter.File {
    /// A file that would be rendered.
    static func unknown(_ format: MediaFormat, omissions: [String] = []) throws -> Self {
        Self(bytes: try .unknown, format: format, omissions: omissions)
    }
}

extension Exporter {
    /// Whether the bytes of a file are not known, because this is a dry run, which does not render.
    func isUnknown(_ file: OutgoingFile) -> Bool { options.isDryRun && !file.isKnown }
}
