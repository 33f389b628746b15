// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Library

/// Finds the files to import.
enum ImportFileFinder {
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
