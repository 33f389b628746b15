// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// A filename that can be numbered, so that files that belong together keep matching names.
struct NumberedFilename {
    private let name: SafeFilename
    /// The suffix after the whole name, as in `a.jpg.xmp`.
    private let suffix: String
    /// The folders of the file, each with a trailing slash; empty if there are none.
    private let folders: String
    /// Whether a number is added if the name is taken.
    let isNumbered: Bool

    /// Creates the name of a file.
    init(_ name: SafeFilename, in folders: [String] = [], isNumbered: Bool = true) {
        self.name = name
        self.folders = folders.map { $0 + "/" }.joined()
        self.isNumbered = isNumbered
        suffix = ""
    }

    /// Creates the name of a file that accompanies another one. A sidecar, whose name begins with that of the other
    /// file, is renamed along with it.
    ///
    /// - Parameters:
    ///   - other: The original name of the other file.
    ///   - new: Its new name.
    init(_ text: String, beside other: SafeFilename, named new: NumberedFilename) {
        let own = SafeFilename(text)
        let stem = FileName(own.stem)
        let isSidecar = stem == FileName(other.text()) && !own.ending.isEmpty
        name =
            isSidecar
            ? new.name
            : stem == FileName(other.stem)
                ? SafeFilename(stem: new.name.stem, ending: own.ending) : own
        suffix = isSidecar ? ".\(own.ending)" : ""
        folders = new.folders
        isNumbered = new.isNumbered
    }

    /// Returns the name with another filename extension.
    func with(ending: String) -> NumberedFilename {
        var name = name
        name.ending = ending
        return NumberedFilename(name, suffix: suffix, folders: folders, isNumbered: isNumbered)
    }

    /// The name of the XMP file beside the file, such as `a.jpg.xmp`.
    var sidecar: NumberedFilename {
        NumberedFilename(
            name, suffix: suffix + ".xmp", folders: folders, isNumbered: isNumbered)
    }

    private init(_ name: SafeFilename, suffix: String, folders: String, isNumbered: Bool) {
        self.name = name
        self.suffix = suffix
        self.folders = folders
        self.isNumbered = isNumbered
    }

    /// Returns the path with a number, as in `a-1.jpg`, unless the number is 0. The filename has at most `limit` bytes.
    func text(number: Int, limit: Int) -> String {
        let numbering = number == 0 ? "" : "-\(number)"
        return folders + name.text(suffix: numbering, limit: max(1, limit - suffix.utf8.count))
            + suffix
    }
}
