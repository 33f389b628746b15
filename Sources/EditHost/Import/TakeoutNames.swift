// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// Finds the picture or video that a JSON file of Google Takeout describes, by its name.
///
/// | picture | JSON |
/// |---|---|
/// | `a.jpg` | `a.jpg.json`, `a.jpg.supplemental-metadata.json` |
/// | `a(1).jpg` | `a.jpg(1).json`, `a.jpg.supplemental-metadata(1).json` |
/// | `a-edited.jpg`, `a-bearbeitet.jpg` | that of `a.jpg` |
/// | `a.jpg`, whose title in Google Photos is `a` | `a.json` |
///
/// Takeout truncates the name before `.json` to 46 characters.
struct TakeoutNames {
    /// A name in which a number in parentheses is separate: `a(1).jpg` is `a.jpg` and 1.
    private struct Numbered: Hashable {
        var name: FileName
        var number: Int?
    }

    /// The files of a folder that have the same number, or none.
    private struct Place: Hashable {
        let folder: FileName
        let number: Int?
    }

    private static let maximumLength = 46
    private static let marker = "supplemental-metadata"
    /// The suffixes of edited versions, in the language of the Google account. Google does not document them. Users have
    /// reported these to GooglePhotosTakeoutHelper (`lib/extras.dart`, github.com/TheLastGimbus) and to immich-go
    /// (`docs/misc/google-takeout.md`, github.com/simulot). Names from a Mac may have decomposed accents.
    private static let editedSuffixes = [
        "-edited", "-bearbeitet", "-bewerkt", "-editado", "-editat", "-edytowane", "-ha editado",
        "-modificato", "-modifi\u{E9}", "-modifie\u{301}", "-編集済み",
    ]

    /// The pictures and videos.
    private let media: Set<FileName>
    private let numbered: [Numbered: FileName]
    /// The pictures and videos of each place, in the order of their paths without the number.
    private let places: [Place: [(name: FileName, path: FileName)]]
    /// The pictures and videos by their paths without filename extensions.
    private let stems: [FileName: [FileName]]

    /// - Parameter paths: The paths of all files.
    init(_ paths: some Sequence<FileName>) {
        media = Set(paths.filter { ImportFilenameExtension.isMedia($0.text) })
        let sorted = media.sorted()
        numbered = Dictionary(
            sorted.map { (Self.numbered($0), $0) }, uniquingKeysWith: { one, _ in one })
        places = Dictionary(grouping: sorted) { path in
            Place(folder: Self.folder(of: path), number: Self.numbered(path).number)
        }.mapValues { paths in
            paths.map { (name: Self.numbered($0).name, path: $0) }.sorted { $0.name < $1.name }
        }
        stems = Dictionary(grouping: sorted, by: \.parts.stem)
    }

    /// Returns the picture or video that a JSON file describes; nil if there is none.
    func owner(of json: FileName) -> FileName? {
        let (base, ending) = json.parts
        guard ending == "json" else { return nil }
        if media.contains(base) { return base }
        let (name, number) = Self.split(base)
        let names = [name] + (Self.withoutMarker(name).map { [$0] } ?? [])
        for name in names {
            if let found = numbered[Numbered(name: name, number: number)] { return found }
        }
        return truncated(name, number, in: json)
            ?? names.lazy.compactMap { self.edited($0, number) }.first
            ?? only(stems[base])
    }

    /// Returns the picture of which a file is the edited version; nil if it is not one.
    func original(of path: FileName) -> FileName? {
        let (stem, ending) = path.parts
        let (name, number) = Self.split(stem)
        guard media.contains(path), let suffix = Self.editedSuffixes.first(where: name.hasSuffix),
            let plain = String(name.text.utf8.dropLast(suffix.utf8.count))
        else { return nil }
        let same = Numbered(name: FileName("\(plain).\(Self.ending(path))"), number: number)
        // Google Photos saves the edited version of a HEIC as a JPEG.
        let others = stems[FileName(plain + (number.map { "(\($0))" } ?? ""))]
        return ending.isEmpty ? nil : numbered[same] ?? only(others)
    }

    /// Returns the edited version that alone is left of a picture.
    private func edited(_ name: FileName, _ number: Int?) -> FileName? {
        let (stem, ending) = (name.parts.stem, Self.ending(name))
        return Self.editedSuffixes.lazy.compactMap { suffix in
            self.numbered[Numbered(name: FileName("\(stem)\(suffix).\(ending)"), number: number)]
        }.first
    }

    /// Returns the only file whose name begins with a truncated one.
    private func truncated(_ name: FileName, _ number: Int?, in json: FileName) -> FileName? {
        // The number may be part of the 46 characters.
        let length = json.parts.stem.text.pathParts.name.utf8.count
        guard length >= Self.maximumLength else { return nil }
        let files = places[Place(folder: Self.folder(of: json), number: number)] ?? []
        // Names with the same beginning follow each other.
        var (first, end) = (0, files.count)
        while first < end {
            let middle = (first + end) / 2
            if files[middle].name < name { first = middle + 1 } else { end = middle }
        }
        let found = files[first...].prefix(2).prefix { $0.name.hasPrefix(name.text) }
        return found.count == 1 ? found.first?.path : nil
    }

    private func only(_ files: [FileName]?) -> FileName? { files?.count == 1 ? files?[0] : nil }

    // MARK: - Names

    private static func folder(of path: FileName) -> FileName {
        FileName(path.text.pathParts.folder)
    }

    /// The filename extension as it is written.
    private static func ending(_ path: FileName) -> String {
        String(decoding: path.text.utf8.suffix(path.parts.ending.utf8.count), as: UTF8.self)
    }

    private static func numbered(_ path: FileName) -> Numbered {
        let (name, number) = split(path.parts.stem)
        guard let number else { return Numbered(name: path) }
        return Numbered(name: FileName("\(name).\(ending(path))"), number: number)
    }

    /// Separates a number in parentheses from the end of a name.
    private static func split(_ name: FileName) -> (name: FileName, number: Int?) {
        let bytes = name.text.utf8
        guard bytes.last == UInt8(ascii: ")"),
            let start = bytes.lastIndex(of: UInt8(ascii: "(")), start > bytes.startIndex,
            case let digits = bytes[bytes.index(after: start)...].dropLast(),
            (1...6).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(Substring(digits))
        else { return (name, nil) }
        return (FileName(String(name.text[..<start])), number)
    }

    /// Removes `.supplemental-metadata`, or what truncation has left of it, from the end of a name.
    private static func withoutMarker(_ name: FileName) -> FileName? {
        guard let dot = name.text.utf8.lastIndex(of: UInt8(ascii: ".")),
            FileName(marker).hasPrefix(name.text[dot...].dropFirst())
        else { return nil }
        return FileName(String(name.text[..<dot]))
    }
}
