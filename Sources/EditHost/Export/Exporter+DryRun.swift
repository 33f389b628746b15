// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// In a dry run, files are empty if they would be rendered. Files that are stored, or made from stored ones without
/// rendering, are the same as in an export.
extension Exporter.File {
    /// A file that would be rendered.
    static func unknown(_ format: MediaFormat, omissions: [String] = []) throws -> Self {
        Self(bytes: try .unknown, format: format, omissions: omissions)
    }

    /// Whether its bytes are known. In a dry run, those of a rendered file are not.
    var isKnown: Bool {
        get throws { try bytes.isKnown }
    }
}
