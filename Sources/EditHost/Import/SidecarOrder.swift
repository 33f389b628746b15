// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Library

/// The order of precedence of the sidecars of an original, which depends only on their names.
///
/// The first is that with the original's whole name (`IMG_1.JPG.xmp`), followed by that with its name without the
/// filename extension (`IMG_1.xmp`) and those of its RAW files (`IMG_1.DNG.xmp`), by all other XMP files and by the JSON
/// files of Google Takeout, each in byte order.
struct SidecarOrder: Sendable {
    private let original: FileName
    private let raws: Set<FileName>

    /// Creates the order of the sidecars of an original with this filename.
    init(original: String, raws: some Sequence<String>) {
        self.original = FileName(original)
        self.raws = Set(raws.map { FileName($0) })
    }

    /// Creates the order of the sidecars of a stored asset.
    init(_ history: AssetHistory) {
        self.init(
            original: history.original?.originalFilename ?? history.asset.originalFilename,
            raws: history.originals.filter { $0.type == .alternatePhoto }.map(\.originalFilename))
    }

    /// Returns whether a sidecar takes precedence over another one.
    func precedes(_ one: FileName, _ other: FileName) -> Bool {
        let (first, second) = (rank(one), rank(other))
        return first == second ? one < other : first < second
    }

    private func rank(_ sidecar: FileName) -> Int {
        let (stem, ending) = sidecar.parts
        if ending == "json" { return 4 }
        if stem == original { return 0 }
        if stem == original.parts.stem { return 1 }
        return raws.contains(stem) ? 2 : 3
    }

    /// Returns the filename of a sidecar in the library.
    ///
    /// If the picture has been renamed since it was imported, its sidecars get the names that correspond to the
    /// library's name of the picture. Otherwise, they would be stored again beside those of the old name.
    ///
    /// - Parameters:
    ///   - sidecar: The filename of the sidecar.
    ///   - picture: The filename of the picture beside it.
    func libraryName(of sidecar: String, beside picture: String) -> String {
        let (name, own) = (FileName(sidecar), FileName(picture))
        if own == original { return sidecar }
        for (old, new) in [(own, original), (own.parts.stem, original.parts.stem)]
        where name.hasPrefix(old.text + ".") {
            return new.text
                + String(decoding: name.text.utf8.dropFirst(old.text.utf8.count), as: UTF8.self)
        }
        return sidecar
    }
}
