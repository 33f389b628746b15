// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Library

/// Files that become one asset, grouped by name: a picture, its RAW, their sidecars, and a video that may turn
/// out to be the motion of a Live Photo.
///
/// The files are in one folder and have the same name with different filename extensions: `IMG_1.JPG`,
/// `IMG_1.DNG`, `IMG_1.AAE`, `IMG_1.xmp`. A sidecar may also have the whole name of its file before its
/// extension: `IMG_1.DNG.xmp`. Every other file is a separate group.
struct ImportGroup: Hashable, Sendable {
    /// The path of the file from which the asset is created.
    let primary: String
    /// The paths of the files stored with it, in the order found.
    var companions: [String] = []

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
                    ? ImportFilenameExtension.stills : ImportFilenameExtension.pairable,
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
            owners[path] = target.flatMap {
                ImportFilenameExtension.isRaw($0.text) ? owners[$0] : $0
            }
        }
        return grouped(paths, owners)
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
        return groups
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
