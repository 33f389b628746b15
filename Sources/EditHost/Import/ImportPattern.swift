// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Library

/// A glob pattern of files and folders that an import ignores.
///
/// `*`, `?` and `[...]` match as in `fnmatch(3)`: case-sensitively, byte by byte, and never a slash. Composed and
/// decomposed characters are equal. A pattern is compared with names and with paths relative to the imported folder. If
/// it ends with a slash, it matches only folders.
struct ImportPattern: Equatable, Sendable {
    /// The pattern as the user wrote it.
    let text: String
    private let glob: String
    private let isForFolders: Bool

    init(_ text: String) {
        self.text = text
        isForFolders = text.utf8.count > 1 && text.utf8.last == UInt8(ascii: "/")
        glob = isForFolders ? String(text.utf8.dropLast()) ?? text : text
    }

    /// Returns whether a file or folder is ignored.
    ///
    /// - Parameters:
    ///   - path: The path relative to the imported folder.
    ///   - name: The last component of the path.
    func matches(_ path: String, named name: FileName, isFolder: Bool) -> Bool {
        guard isFolder || !isForFolders else { return false }
        return FileName(path).isEquivalent(toGlob: glob) || name.isEquivalent(toGlob: glob)
    }
}
