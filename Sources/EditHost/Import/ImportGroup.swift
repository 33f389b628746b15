// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Library

/// Files that become one asset, grouped by name: a picture, its RAW, their sidecars, and a video that may turn
/// out to be the motion of a Live Photo.
///
/// The files are in one folder and have the same name with different filename extensions: `IMG_1.JPG`,
/// `IMG_1.DNG`, `IMG_1.AAE`, `IMG_1.xmp`. A sidecar may also have the whole name of its file before its
/// extension: `IMG_1.DNG.xmp`. ``TakeoutNames`` describes the names of JSON files. Every other file is a separate group.
struct ImportGroup: Hashable, Sendable {
    /// The path of the file from which the asset is created.
    let primary: String
    /// The paths of the files stored with it, in the order found.
    var companions: [String] = []
    /// The paths of JSON files of Google Takeout that are companions of another group, and describe this file too.
    var borrowed: [String] = []

    /// Returns the groups of some different files, in the order in which the first file of each was found.
    static func groups(of paths: [String]) -> [ImportGroup] {
        let all = Set(paths.map(FileName.init))
        let files = Dictionary(grouping: all.sorted().map(Name.init), by: \.stem)
        var owners: [FileName: FileName] = [:]
        for path in all
        where ImportFilenameExtension.isRaw(path.text)
            || ImportFilenameExtension.isMotion(path.text)
        {
            owners[path] = best(
                of: ImportFilenameExtension.isMotion(path.text)
                    ? ImportFilenameExtension.stills
                    : ImportFilenameExtension.rawCompanions,
                in: files[path.parts.stem])
        }
        for path in all where ImportFilenameExtension.isSidecar(path.text) {
            let stem = path.parts.stem
            // The sidecar's name without its extension is either the whole name of its file, or that without
            // extension.
            let target =
                all.contains(stem) && !ImportFilenameExtension.isSidecar(stem.text)
                ? stem
                : best(
                    of: ImportFilenameExtension.pictures + ImportFilenameExtension.videos,
                    in: files[stem])
            // A file with a picture is in the picture's group.
            owners[path] = target.flatMap {
                owners[$0] ?? (ImportFilenameExtension.isRaw($0.text) ? nil : $0)
            }
        }
        for (file, owner) in ownersOfJSON(all, owners) { owners[file] = owner }
        return grouped(paths, owners)
    }

    /// Returns the pictures and videos that JSON files of Google Takeout describe.
    ///
    /// - Parameter owners: The pictures of RAW files and motions.
    private static func ownersOfJSON(
        _ all: Set<FileName>, _ owners: [FileName: FileName]
    ) -> [FileName: FileName] {
        let files = all.filter { ImportFilenameExtension.isJSON($0.text) }
        if files.isEmpty { return [:] }
        let names = TakeoutNames(all)
        var found: [FileName: FileName] = [:]
        for file in files {
            guard let described = names.owner(of: file) else { continue }
            let isRaw = ImportFilenameExtension.isRaw(described.text)
            found[file] = owners[described] ?? (isRaw ? nil : described)
        }
        return found
    }

    private static func best(of endings: [String], in files: [Name]?) -> FileName? {
        let candidates = files ?? []
        for ending in endings {
            if let found = candidates.first(where: { $0.ending == ending }) { return found.path }
        }
        return nil
    }

    private static func grouped(
        _ paths: [String], _ owners: [FileName: FileName]
    ) -> [ImportGroup] {
        var groups: [ImportGroup] = []
        var places: [FileName: Int] = [:]
        for path in paths {
            let name = FileName(path)
            let primary = owners[name] ?? name
            if places[primary] == nil {
                places[primary] = groups.count
                groups.append(ImportGroup(primary: primary.text))
            }
            if let place = places[primary], name != primary {
                groups[place].companions.append(path)
            }
        }
        return borrowing(groups)
    }

    /// Adds the JSON files of pictures to the groups of their edited versions that have none.
    private static func borrowing(_ groups: [ImportGroup]) -> [ImportGroup] {
        func files(_ group: ImportGroup) -> [String] {
            group.companions.filter(ImportFilenameExtension.isJSON)
        }
        var lenders: [FileName: [String]] = [:]
        for group in groups where !files(group).isEmpty {
            lenders[FileName(group.primary)] = files(group)
        }
        if lenders.isEmpty { return groups }
        let names = TakeoutNames(groups.map { FileName($0.primary) })
        return groups.map { group in
            var group = group
            if files(group).isEmpty, let original = names.original(of: FileName(group.primary)) {
                group.borrowed = lenders[original] ?? []
            }
            return group
        }
    }

    /// A path and its components.
    private struct Name {
        let path: FileName
        /// The path without the filename extension.
        let stem: FileName
        /// The filename extension in lower case, without a dot.
        let ending: String

        init(_ path: FileName) {
            self.path = path
            (stem, ending) = path.parts
        }
    }
}
