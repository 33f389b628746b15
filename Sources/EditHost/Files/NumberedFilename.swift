// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// A name that can be given a number, so that files that belong together keep to one another.
struct NumberedFilename {
    private let name: SafeFilename
    /// What comes behind the whole name, as in `a.jpg.xmp`.
    private let suffix: String
    /// The folders that it lies in, each with a slash behind it; empty: none.
    private let folders: String
    /// Whether it gets a number where it is taken.
    let isNumbered: Bool

    /// The name of a file.
    init(_ name: SafeFilename, in folders: [String] = [], isNumbered: Bool = true) {
        self.name = name
        self.folders = folders.map { $0 + "/" }.joined()
        self.isNumbered = isNumbered
        suffix = ""
    }

    /// The name of a file that came beside another one: where it begins with that one's name, as sidecars' do, it begins
    /// with its new name.
    ///
    /// - Parameters:
    ///   - other: the name that the other one came with.
    ///   - new: the name that it gets.
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

    /// The same with another ending.
    func with(ending: String) -> NumberedFilename {
        var name = name
        name.ending = ending
        return NumberedFilename(name, suffix: suffix, folders: folders, isNumbered: isNumbered)
    }

    private init(_ name: SafeFilename, suffix: String, folders: String, isNumbered: Bool) {
        self.name = name
        self.suffix = suffix
        self.folders = folders
        self.isNumbered = isNumbered
    }

    /// The path with a number, its name no longer than some bytes.
    func text(number: Int, limit: Int) -> String {
        folders + name.text(number: number, limit: max(1, limit - suffix.utf8.count)) + suffix
    }
}
