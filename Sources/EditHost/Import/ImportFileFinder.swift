// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Library

/// Finds the files to import.
struct ImportFileFinder {
    /// The patterns of files and folders that are left out.
    private let patterns: [ImportPattern]
    /// The patterns that have matched nothing so far, without duplicates, in the order given.
    private(set) var unusedPatterns: [ImportPattern]
    /// The paths of the files, sorted within each folder.
    private(set) var files: [String] = []
    /// The folders of files found in folders, relative to the imported folder. A file that is directly in the imported
    /// folder has none. If a file is found twice, its first folder is kept.
    private(set) var folders: [FileName: String] = [:]
    /// The files that are skipped because of what they are in their folder.
    private(set) var skipped: [ImportResult] = []

    /// The names, in lower case, of what other programs and file systems put beside photographs.
    private static let foreignNames: Set = ["@eadir", "thumbs.db", "lost+found"]

    /// Searches files, and the contents of folders.
    ///
    /// - Parameter patterns: The patterns of files and folders to leave out, as ``ImportPattern`` describes them.
    init(_ paths: [String], excluding patterns: [String]) {
        self.patterns = patterns.map(ImportPattern.init)
        unusedPatterns = self.patterns.reduce(into: []) { unused, pattern in
            if !unused.contains(pattern) { unused.append(pattern) }
        }
        for path in paths { search(path) }
    }

    private mutating func search(_ path: String) {
        var status = stat()
        let isFolder = path.withPath { stat($0, &status) } == 0 && status.isFolder
        // A folder in a library is returned as a whole, and rejected later.
        if isFolder, !((try? PhotoLibrary.isWithinLibrary(path)) ?? true) {
            return searchContents(of: path, at: "")
        }
        let name = FileName(path.withoutTrailingSlashes.pathParts.name)
        if !isExcluded(name.text, name, isFolder: isFolder) { files.append(path) }
    }

    /// - Parameter place: The path relative to the imported folder, empty or with a slash at its end.
    private mutating func searchContents(of folder: String, at place: String) {
        // An unreadable folder is reported like a file that cannot be opened.
        guard let all = Self.names(in: folder) else { return files.append(folder) }
        let start = FileName(folder).hasSuffix("/") ? folder : folder + "/"
        let names = all.filter { !Self.isIgnored($0) }
        let videos = Set(
            names.filter { ImportFilenameExtension.isVideo($0.text) }.map(\.parts.stem))
        for name in names.sorted() {
            let (path, relative) = (start + name.text, place + name.text)
            let kind = (try? stat.ofPath(path)).map { $0.st_mode & S_IFMT }
            if isExcluded(relative, name, isFolder: kind == S_IFDIR) { continue }
            switch kind {
            // The files of libraries and backups are not imported.
            case S_IFDIR:
                guard !name.hasSuffix(".editlibrary"), !PhotoLibrary.isLibraryOrBackup(path) else {
                    continue
                }
                searchContents(of: path, at: relative + "/")
            case S_IFREG:
                let (stem, ending) = name.parts
                if ending == "thm", videos.contains(stem) {
                    skip(path, "the thumbnail of a video")
                } else {
                    add(path, in: place)
                }
            case S_IFLNK:
                if Self.isPlainFile(path) {
                    add(path, in: place)
                } else {
                    skip(path, "a link to a folder or to nothing, which is not followed")
                }
            case nil: files.append(path)
            default: continue
            }
        }
    }

    private mutating func add(_ path: String, in place: String) {
        files.append(path)
        let folder = place.withoutTrailingSlashes
        if !folder.isEmpty { folders[FileName(path), default: folder] = folder }
    }

    private mutating func isExcluded(
        _ path: String, _ name: FileName, isFolder: Bool
    ) -> Bool {
        let matching = patterns.filter { $0.matches(path, named: name, isFolder: isFolder) }
        if !matching.isEmpty { unusedPatterns.removeAll { matching.contains($0) } }
        return !matching.isEmpty
    }

    /// Returns whether a search of a path would find files at a place, which need not exist.
    ///
    /// - Parameter patterns: The patterns of files and folders to leave out.
    static func searches(
        _ path: String, at place: String, excluding patterns: [String]
    ) -> Bool {
        var status = stat()
        guard path.withPath({ stat($0, &status) }) == 0, status.isFolder,
            FileIdentity.isWithin(place, path)
        else { return false }
        // A place that cannot be resolved is assumed to be searched, to be safe.
        guard let outer = path.resolvedPath?.pathComponents, let inner = resolved(place),
            inner.starts(with: outer), !inner.contains("..")
        else { return true }
        let patterns = patterns.map(ImportPattern.init)
        var relative = ""
        for component in inner.dropFirst(outer.count) {
            let name = FileName(component)
            relative += component
            if isIgnored(name) || name.hasSuffix(".editlibrary")
                || patterns.contains(where: { $0.matches(relative, named: name, isFolder: true) })
            {
                return false
            }
            relative += "/"
        }
        return true
    }

    /// Returns the components of a path without links, even if the last ones do not exist; nil if none exist.
    private static func resolved(_ path: String) -> [String]? {
        let path = path.withoutTrailingSlashes
        if let known = path.resolvedPath { return known.pathComponents }
        let (folder, name) = path.pathParts
        guard folder != path else { return nil }
        return resolved(folder).map { $0 + [name] }
    }

    private static func isIgnored(_ name: FileName) -> Bool {
        name.hasPrefix(".") || foreignNames.contains(name.folded)
    }

    private mutating func skip(_ path: String, _ reason: String) {
        skipped.append(
            ImportResult(path: path, status: .skipped, error: HostError(.blockedFormat, reason)))
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
