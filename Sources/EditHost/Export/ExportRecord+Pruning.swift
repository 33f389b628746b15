// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension ExportRecord.Entry {
    /// Returns the entry of a completed export, with the remaining files under earlier names.
    func done(leaving: [ExportRecord.File]) -> Self {
        Self(
            subject: subject, key: key, number: number, files: files, earlier: [],
            leaving: leaving, renderedVersion: renderedVersion)
    }

    /// The entry without the files under earlier names.
    var pruned: Self {
        Self(
            subject: subject, key: key, number: number, files: files, earlier: earlier,
            leaving: [], renderedVersion: renderedVersion)
    }

    /// An entry without files, which deletes the subject from the record.
    var forgotten: Self {
        Self(subject: subject, key: key, number: 0, files: [], earlier: [], leaving: [])
    }
}
