// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Library

/// Files that become one asset, by their names: a picture, the RAW of it, their sidecars, and a video, where that turns out
/// to be the picture's motion.
///
/// They lie in one folder and have the same name but for its ending: `IMG_1.JPG`, `IMG_1.DNG`,
/// `IMG_1.AAE`, `IMG_1.xmp`. A sidecar may also have the whole name of its file before its ending:
/// `IMG_1.DNG.xmp`. Anything else is a group of its own.
struct ImportGroup: Hashable, Sendable {
    /// The file that makes the asset.
    let primary: String
    /// The files that go with it, in the order found.
    var companions: [String] = []

    /// The endings, in lower case, of files that can have a RAW beside them, best first.
    private static let pairable = ["jpg", "jpeg", "jpe", "heic", "heif", "hif"]
    /// The same of videos: a JPEG beside a HEIC is mostly a copy that was made of it.
    private static let stills = ["heic", "heif", "hif", "jpg", "jpeg", "jpe"]
    private static let raw: Set = [
        "dng", "cr2", "cr3", "nef", "arw", "raf", "orf", "rw2", "pef",
    ]
    private static let sidecars: Set = ["xmp", "aae"]
    /// Other pictures, which have sidecars but no RAW.
    private static let others = ["png", "tif", "tiff", "webp", "avif", "gif", "jxl"]
    /// Videos, which have sidecars where there is no picture of their name, and may be the motion of one that there is.
    private static let videos = ["mov", "mp4", "m4v", "3gp", "mkv", "webm", "avi"]
    /// The containers of Live Photos' videos.
    private static let motions: Set = ["mov", "mp4"]

    static func isRaw(_ path: String) -> Bool { raw.contains(Name(path).ending) }
    static func isVideo(_ path: String) -> Bool { videos.contains(Name(path).ending) }
    private static func isMotion(_ path: String) -> Bool { motions.contains(Name(path).ending) }
    /// Whether a file is named like a picture or a video of any kind, also of one that is not opened.
    static func isNamedLikeMedia(_ path: String) -> Bool {
        let ending = Name(path).ending
        return raw.contains(ending) || moreMedia.contains(ending)
            || (pairable + others + videos).contains(ending)
    }
    /// Further endings of pictures and videos.
    private static let moreMedia: Set = [
        "jfif", "apng", "bmp", "jp2", "psd", "srw", "rwl", "nrw", "3fr", "iiq", "x3f", "gpr", "mpo",
        "avifs",
        "heics", "mts", "m2ts", "mpg", "mpeg", "mpe", "vob", "wmv", "asf", "flv", "ogv", "3g2",
        "mxf", "qt", "divx",
        "insv",
    ]
    static func isSidecar(_ path: String) -> Bool { sidecars.contains(Name(path).ending) }

    /// Groups files in the order in which the first of each group was found.
    static func groups(of paths: [String]) -> [ImportGroup] {
        let files = Dictionary(grouping: Set(paths).sorted().map(Name.init), by: \.stem)
        var owners: [String: String] = [:]
        for path in paths where isRaw(path) || isMotion(path) {
            owners[path] = best(
                of: isMotion(path) ? stills : pairable, in: files[Name(path).stem])
        }
        let all = Set(paths)
        for path in paths where isSidecar(path) {
            let stem = Name(path).stem
            // The whole name of a file stands before the ending, or its name without its own.
            let target =
                all.contains(stem) && !isSidecar(stem)
                ? stem : best(of: pairable + others + videos, in: files[stem])
            owners[path] = target.flatMap { isRaw($0) ? owners[$0] : $0 }
        }
        return grouped(paths, owners)
    }

    private static func best(of endings: [String], in files: [Name]?) -> String? {
        let candidates = files ?? []
        for ending in endings {
            if let found = candidates.first(where: { $0.ending == ending }) { return found.path }
        }
        return nil
    }

    private static func grouped(
        _ paths: [String], _ owners: [String: String]
    ) -> [ImportGroup] {
        var groups: [ImportGroup] = []
        var places: [String: Int] = [:]
        var seen: Set<String> = []
        for path in paths {
            // A file that is named twice is imported twice, the second time by itself.
            guard seen.insert(path).inserted else {
                groups.append(ImportGroup(primary: path))
                continue
            }
            let primary = owners[path] ?? path
            if places[primary] == nil {
                places[primary] = groups.count
                groups.append(ImportGroup(primary: primary))
            }
            if let place = places[primary], path != primary {
                groups[place].companions.append(path)
            }
        }
        return groups
    }

    /// A path, taken apart.
    private struct Name {
        let path: String
        /// The path without its ending.
        let stem: String
        /// The ending, in lower case, without a dot.
        let ending: String

        init(_ path: String) {
            self.path = path
            stem = (path as NSString).deletingPathExtension
            ending = (path as NSString).pathExtension.lowercased()
        }
    }
}

/// Searches for the files that an import is to look at.
enum FoundFiles {
    /// A path itself, or what lies in the folder that it is, sorted by path.
    static func search(_ path: String) -> [String] {
        var status = stat()
        let isFolder = path.withPath { stat($0, &status) } == 0 && status.isFolder
        // In a library, the folder is refused as a whole.
        return isFolder && !PhotoLibrary.isWithinLibrary(path) ? contents(of: path) : [path]
    }

    private static func contents(of folder: String) -> [String] {
        // One that cannot be read is told of as a file that cannot be opened.
        guard let names = names(in: folder) else { return [folder] }
        return names.filter { !$0.hasPrefix(".") }.sorted().flatMap { name -> [String] in
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            guard let status = try? stat.ofPath(path) else { return [path] }
            switch status.st_mode & S_IFMT {
            // A library's own files are not photographs to import.
            case S_IFDIR:
                return name.hasSuffix(".editlibrary") || PhotoLibrary.isLibraryOrBackup(path)
                    ? [] : contents(of: path)
            case S_IFREG: return [path]
            case S_IFLNK: return isPlainFile(path) ? [path] : []
            default: return []
            }
        }
    }

    /// What lies in a folder; nil where it cannot be read.
    private static func names(in folder: String) -> [String]? {
        guard let stream = folder.withPath({ opendir($0) }) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(pathBytes: bytes.prefix { $0 != 0 })
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Links are followed to files, not to folders, which might lead in circles.
    private static func isPlainFile(_ path: String) -> Bool {
        var status = stat()
        return path.withPath { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
