// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Library

/// Finds the files to import.
struct ImportFileFinder: Sendable {
    /// The patterns of files and folders that are ignored.
    private let patterns: [ImportPattern]
    /// The patterns that have matched nothing so far, without duplicates, in the order given.
    private(set) var unusedPatterns: [ImportPattern]
    /// The paths of the files, sorted within each folder. Each file is listed once, with the first path that leads to it.
    private(set) var files: [String] = []
    /// The folders of files found in folders, relative to the imported folder. A file that is directly in the imported
    /// folder has none. If a file is found twice, its first folder is kept.
    private(set) var folders: [FileName: String] = [:]
    /// The listed paths of files that the user passed, perhaps by another path.
    private var named: Set<FileName> = []
    /// The absolute paths of the files, without links to folders; the listed ones if their folders do not exist.
    private var keys: [String] = []
    /// The listed paths of files, by their absolute paths.
    private var listed: [FileName: String] = [:]
    /// The files in which Google Takeout states the titles of albums, by their folders relative to the imported folder.
    private(set) var albumFiles: [FileName: String] = [:]
    /// The absolute paths of skipped files.
    private var skippedKeys: Set<FileName> = []
    /// The files that are skipped because of what they are in their folder.
    private(set) var skipped: [ImportResult] = []

    /// The names, in lower case, of what other programs and file systems put beside photos.
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

    /// Whether a listed file was passed by the user, as opposed to found in a folder.
    func isNamed(_ path: String) -> Bool { named.contains(FileName(path)) }

    /// Returns the path of a file relative to the imported folder; its name if it is directly in it or was not found in
    /// a folder.
    func relativePath(of path: String) -> String {
        let name = path.withoutTrailingSlashes.pathParts.name
        return folders[FileName(path)].map { "\($0)/\(name)" } ?? name
    }

    private mutating func search(_ path: String) {
        var status = stat()
        let isFolder = path.withPath { stat($0, &status) } == 0 && status.isFolder
        // A folder in a library is returned as a whole, and rejected later.
        if isFolder, !((try? PhotoLibrary.isWithinLibrary(path)) ?? true) {
            return searchContents(of: path, path.resolvedPath, at: "")
        }
        let (folder, name) = path.withoutTrailingSlashes.pathParts
        if isExcluded(name, FileName(name), isFolder: isFolder) { return }
        let absolute = folder.resolvedPath.map { Self.joined($0, name) }
        named.insert(FileName(add(path, absolute)))
    }

    /// - Parameters:
    ///   - resolved: The absolute path of the folder, without links; nil if it is unknown.
    ///   - place: The path relative to the imported folder, empty or with a slash at its end.
    private mutating func searchContents(
        of folder: String, _ resolved: String?, at place: String
    ) {
        // An unreadable folder is reported like a file that cannot be opened.
        guard let all = Self.names(in: folder) else {
            add(folder, resolved)
            return
        }
        let names = all.filter { !Self.isIgnored($0) }
        let videos = Set(
            names.filter { ImportFilenameExtension.isVideo($0.text) }.map(\.parts.stem))
        for name in names.sorted() {
            let (path, relative) = (Self.joined(folder, name.text), place + name.text)
            let absolute = resolved.map { Self.joined($0, name.text) }
            let kind = (try? stat.ofPath(path)).map { $0.st_mode & S_IFMT }
            if isExcluded(relative, name, isFolder: kind == S_IFDIR) { continue }
            switch kind {
            // The files of libraries and backups are not imported.
            case S_IFDIR:
                guard !name.hasSuffix(".editlibrary"), !PhotoLibrary.isLibraryOrBackup(path) else {
                    continue
                }
                searchContents(of: path, absolute, at: relative + "/")
            case S_IFREG:
                let (stem, ending) = name.parts
                if ending == "thm", videos.contains(stem) {
                    skip(path, absolute, "the thumbnail of a video")
                } else {
                    add(path, absolute, in: place)
                }
            case S_IFLNK:
                if Self.isPlainFile(path) {
                    add(path, absolute, in: place)
                } else {
                    skip(path, absolute, "a link to a folder or to nothing, which is not followed")
                }
            case nil: add(path, absolute)
            default: continue
            }
        }
    }

    /// Lists a file, unless another path of it is listed already.
    ///
    /// - Parameters:
    ///   - absolute: Its path without links to folders; nil if its folder does not exist.
    ///   - place: The path of its folder relative to the imported folder, empty or with a slash at its end.
    /// - Returns: The listed path of the file.
    @discardableResult
    private mutating func add(
        _ path: String, _ absolute: String?, in place: String = ""
    ) -> String {
        let key = absolute ?? path
        let first = listed[FileName(key)] ?? path
        if listed.updateValue(first, forKey: FileName(key)) == nil {
            files.append(path)
            keys.append(key)
        }
        let folder = place.withoutTrailingSlashes
        if !folder.isEmpty, path.pathParts.name == "metadata.json" {
            albumFiles[FileName(folder)] = path
        }
        if !folder.isEmpty, folders[FileName(first)] == nil { folders[FileName(first)] = folder }
        return first
    }

    /// The groups of the files. Files whose paths lead to one folder in different ways are in one group.
    var groups: [ImportGroup] {
        func path(_ key: String) -> String { listed[FileName(key)] ?? key }
        return ImportGroup.groups(of: keys).map { group in
            ImportGroup(
                primary: path(group.primary), companions: group.companions.map(path),
                borrowed: group.borrowed.map(path))
        }
    }

    private static func joined(_ folder: String, _ name: String) -> String {
        FileName(folder).hasSuffix("/") ? folder + name : "\(folder)/\(name)"
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

    private mutating func skip(_ path: String, _ absolute: String?, _ reason: String) {
        guard skippedKeys.insert(FileName(absolute ?? path)).inserted else { return }
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
