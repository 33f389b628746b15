// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Searches for the files that an import is to look at.
enum FoundFiles {
    /// A path itself, or what lies in the folder that it is, sorted by path.
    static func search(_ path: String) -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            isFolder.boolValue
        else { return [path] }
        return contents(of: path)
    }

    private static func contents(of folder: String) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            // It is told of as a file that cannot be opened.
            return [folder]
        }
        return names.filter { !$0.hasPrefix(".") }.sorted().flatMap { name -> [String] in
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { return [path] }
            switch status.st_mode & S_IFMT {
            // A library's own files are not photographs to import.
            case S_IFDIR: return name.hasSuffix(".editlibrary") ? [] : contents(of: path)
            case S_IFREG: return [path]
            case S_IFLNK: return isPlainFile(path) ? [path] : []
            default: return []
            }
        }
    }

    /// Links are followed to files, not to folders, which might lead in circles.
    private static func isPlainFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
