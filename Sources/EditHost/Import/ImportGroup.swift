// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Library

/// Files that become one asset, grouped by name: a picture, its RAW, their sidecars, and a video that may turn
/// out to be the motion of a Live Photo.
///
/// The files are in one folder and have the same name with different filename extensions: `IMG_1.JPG`,
/// `IMG_1.DNG`, `IMG_1.AAE`, `IMG_1.xmp`. A sidecar may also have the whole name of its file before its
/// extension: `IMG_1.DNG.xmp`. Other files are groups of their own.
struct ImportGroup: Hashable, Sendable {
    /// The path of the file from which the asset is created.
    let primary: String
    /// The paths of the files stored with it, in the order found.
    var companions: [String] = []

    /// Lowercase extensions of files that can have a RAW beside them, in order of preference.
    private static let pairable = ["jpg", "jpeg", "jpe", "heic", "heif", "hif"]
    /// The same extensions for videos. HEIC comes first, because a JPEG beside a HEIC is usually a copy of it.
    private static let stills = ["heic", "heif", "hif", "jpg", "jpeg", "jpe"]
    private static let raw: Set = [
        "dng", "cr2", "cr3", "nef", "arw", "raf", "orf", "rw2", "pef",
    ]
    private static let sidecars: Set = ["xmp", "aae"]
    /// Extensions of other pictures, which have sidecars but no RAW.
    private static let others = ["png", "tif", "tiff", "webp", "avif", "gif", "jxl"]
    /// Extensions of videos. They have sidecars if there is no picture with their name, and otherwise may be
    /// its motion.
    private static let videos = ["mov", "mp4", "m4v", "3gp", "mkv", "webm", "avi"]
    /// Extensions of containers for the videos of Live Photos.
    private static let motions: Set = ["mov", "mp4"]

    static func isRaw(_ path: String) -> Bool { raw.contains(ending(of: path)) }
    static func isVideo(_ path: String) -> Bool { videos.contains(ending(of: path)) }
    private static func isMotion(_ path: String) -> Bool { motions.contains(ending(of: path)) }
    static func isSidecar(_ path: String) -> Bool { sidecars.contains(ending(of: path)) }
    static func isAdjustment(_ path: String) -> Bool { ending(of: path) == "aae" }
    /// Whether the extension is that of a picture or video, including unsupported formats.
    static func isNamedLikeMedia(_ path: String) -> Bool {
        let ending = ending(of: path)
        return raw.contains(ending) || moreMedia.contains(ending)
            || (pairable + others + videos).contains(ending)
    }
    /// Extensions of unsupported pictures and videos.
    private static let moreMedia: Set = [
        "jfif", "apng", "bmp", "jp2", "psd", "srw", "rwl", "nrw", "3fr", "iiq", "x3f", "gpr", "mpo",
        "avifs", "heics", "mts", "m2ts", "mpg", "mpeg", "mpe", "vob", "wmv", "asf", "flv",
        "3g2", "mxf", "qt", "divx", "insv",
    ]

    private static func ending(of path: String) -> String { FileName(path).parts.ending }

    /// Returns the groups of some files, in the order in which the first file of each was found.
    static func groups(of paths: [String]) -> [ImportGroup] {
        let all = Set(paths.map(FileName.init))
        let files = Dictionary(grouping: all.sorted().map(Name.init), by: \.stem)
        var owners: [FileName: FileName] = [:]
        for path in all where isRaw(path.text) || isMotion(path.text) {
            owners[path] = best(
                of: isMotion(path.text) ? stills : pairable, in: files[path.parts.stem])
        }
        for path in all where isSidecar(path.text) {
            let stem = path.parts.stem
            // The sidecar's name without its extension is either the whole name of its file, or that without
            // extension.
            let target =
                all.contains(stem) && !isSidecar(stem.text)
                ? stem : best(of: pairable + others + videos, in: files[stem])
            owners[path] = target.flatMap { isRaw($0.text) ? owners[$0] : $0 }
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
        var seen: Set<FileName> = []
        for path in paths {
            let name = FileName(path)
            // A duplicate path is imported again, as a group of its own.
            guard seen.insert(name).inserted else {
                groups.append(ImportGroup(primary: path))
                continue
            }
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

/// Finds the files to import.
enum FoundFiles {
    /// Returns the path itself, or the files in the folder at the path, sorted by path.
    static func search(_ path: String) -> [String] {
        var status = stat()
        let isFolder = path.withPath { stat($0, &status) } == 0 && status.isFolder
        // A folder in a library is returned as a whole, and rejected later.
        return isFolder && !((try? PhotoLibrary.isWithinLibrary(path)) ?? true)
            ? contents(of: path) : [path]
    }

    private static func contents(of folder: String) -> [String] {
        // An unreadable folder is reported like a file that cannot be opened.
        guard let names = names(in: folder) else { return [folder] }
        let start = FileName(folder).hasSuffix("/") ? folder : folder + "/"
        return names.filter { !$0.hasPrefix(".") }.sorted().flatMap { name -> [String] in
            let path = start + name.text
            guard let status = try? stat.ofPath(path) else { return [path] }
            switch status.st_mode & S_IFMT {
            // The files of libraries and backups are not imported.
            case S_IFDIR:
                return name.hasSuffix(".editlibrary") || PhotoLibrary.isLibraryOrBackup(path)
                    ? [] : contents(of: path)
            case S_IFREG: return [path]
            case S_IFLNK: return isPlainFile(path) ? [path] : []
            default: return []
            }
        }
    }

    /// Returns the names in a folder; nil if it cannot be read.
    private static func names(in folder: String) -> [FileName]? {
        guard let stream = folder.withPath({ opendir($0) }) else { return nil }
        defer { closedir(stream) }
        var names: [FileName] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(pathBytes: bytes.prefix { $0 != 0 })
            }
            if name != ".", name != ".." { names.append(FileName(name)) }
        }
        return names
    }

    /// Links to folders are not followed, because they may form a cycle.
    private static func isPlainFile(_ path: String) -> Bool {
        var status = stat()
        return path.withPath { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
