// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc

/// The user's settings in a backup: `config.json` and the presets.
///
/// The records about extensions are not included, because extensions are trusted on each computer.
struct SettingsFiles {
    /// The backup's folder.
    let root: Folder

    /// The folders of settings below the configuration folder; the first is the folder itself.
    private static let folders = ["", "presets", "export-presets"]
    /// The folder below `settings` with contents that later backups replaced.
    private static let replaced = "replaced"
    /// The maximum size of a file, in bytes, and the maximum number of files in a folder.
    private static let limit = (size: 16 << 20, count: 10_000)

    /// Copies new and changed settings to the backup. Removed ones stay, and changed ones are kept
    /// in the folder `replaced`.
    ///
    /// - Parameter configuration: The path of the user's configuration folder. Links are followed.
    /// - Returns: The number of copied files, and the errors of files that could not be copied.
    func backUp(from configuration: String) -> (count: Int, failures: [LibraryError]) {
        var (count, failures) = (0, [LibraryError]())
        for folder in Self.folders {
            let path = Self.joined(configuration, folder)
            let errors = Self.errors(path) {
                guard let source = try Self.openIfPresent(path) else { return }
                for name in try Self.names(in: source, folder) {
                    let errors = Self.errors(path + "/" + name) {
                        let data = try Self.content(ofUserFile: path + "/" + name)
                        if try store(data, as: name, in: folder) { count += 1 }
                    }
                    failures += errors
                }
            }
            failures += errors
        }
        return (count, failures)
    }

    /// Stores the content of a file, unless the backup has the same.
    private func store(_ data: Data, as name: String, in folder: String) throws -> Bool {
        let settings = try root.makeFolderIfNeeded(LibraryName.settings)
        let place = try folder.isEmpty ? settings : settings.makeFolderIfNeeded(folder)
        if try place.status(name) != nil {
            if try Self.content(of: place.file(name, O_RDONLY)) == data { return false }
            let date = CaptureDate(date: Date(), offset: nil).text.filter { $0 != ":" }
            let old = try settings.makeFolderIfNeeded(Self.replaced).makeFolderIfNeeded(date + "Z")
            let target = try folder.isEmpty ? old : old.makeFolderIfNeeded(folder)
            try place.link(name, in: target, as: name)
        }
        try place.writeAtomically(name) { file in
            try data.withUnsafeBytes { try file.append($0) }
        }
        return true
    }

    /// Copies settings that are missing in the user's configuration folder from the backup. Existing
    /// ones are kept.
    ///
    /// - Parameter configuration: The path of the user's configuration folder, which is created if
    ///   it is missing. Links in it are followed, but not in the backup.
    /// - Throws: `LibraryError` if the backup cannot be read.
    func restore(to configuration: String) throws -> RestoredSettings {
        var result = RestoredSettings()
        guard let settings = try settings() else { return result }
        for folder in Self.folders {
            let path = Self.joined(configuration, folder)
            let errors = Self.errors(path) {
                guard let source = try folder.isEmpty ? settings : settings.folderIfPresent(folder)
                else { return }
                for name in try Self.names(in: source, folder) {
                    let errors = Self.errors(path + "/" + name) {
                        let data = try Self.content(of: source.file(name, O_RDONLY))
                        switch try Self.add(data, as: name, inFolderAt: path) {
                        case true: result.restored.append(path + "/" + name)
                        case false: result.kept.append(path + "/" + name)
                        case nil: break
                        }
                    }
                    result.failures += errors
                }
            }
            result.failures += errors
        }
        return result
    }

    private func settings() throws -> Folder? {
        do {
            return try root.folderIfPresent(LibraryName.settings)
        } catch {
            throw LibraryError.reading(root.path + "/" + LibraryName.settings, error)
        }
    }

    /// Creates a file, unless there is one of the name.
    ///
    /// - Returns: Whether the file was created; nil if there is a file with the same content.
    private static func add(_ data: Data, as name: String, inFolderAt path: String) throws -> Bool?
    {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let folder = try Folder(root: path)
        guard try folder.status(name) == nil else {
            let own = try? content(ofUserFile: path + "/" + name)
            return own == data ? nil : false
        }
        try folder.writeAtomically(name, replacing: false) { file in
            try data.withUnsafeBytes { try file.append($0) }
        }
        return true
    }

    // MARK: - Files

    private static func joined(_ path: String, _ folder: String) -> String {
        folder.isEmpty ? path : path + "/" + folder
    }

    private static func openIfPresent(_ path: String) throws(SystemError) -> Folder? {
        do {
            return try Folder(root: path)
        } catch {
            guard error.number == ENOENT else { throw error }
            return nil
        }
    }

    /// Returns the names of settings in one of the folders.
    private static func names(in opened: Folder, _ folder: String) throws -> [String] {
        if folder.isEmpty {
            return try opened.status("config.json") == nil ? [] : ["config.json"]
        }
        guard let entries = try opened.entries(atMost: limit.count) else {
            throw LibraryError(
                .cannotRead, "there are more than \(limit.count) files", path: opened.path)
        }
        return entries.map(\.name).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
    }

    private static func content(of file: OpenFile) throws -> Data {
        let size = try file.size()
        guard size <= limit.size else {
            throw LibraryError(
                .cannotRead, "the file has more than \(limit.size >> 20) MiB", path: file.path)
        }
        var data = Data(count: size)
        let count = try data.withUnsafeMutableBytes { try file.fill($0, at: 0) }
        return data.prefix(count)
    }

    /// Returns the content of one of the user's own files. Links are followed.
    private static func content(ofUserFile path: String) throws -> Data {
        // Opening a pipe must not wait.
        let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
        guard try file.systemStatus().isPlainFile else {
            throw LibraryError(.cannotRead, "this is not a file", path: path)
        }
        return try content(of: file)
    }

    /// Calls a closure, and returns its error, if any.
    private static func errors(_ path: String, _ body: () throws -> Void) -> [LibraryError] {
        do {
            try body()
            return []
        } catch let error as LibraryError {
            return [error]
        } catch {
            return [
                LibraryError(
                    .cannotRead, "the settings cannot be copied", path: path, underlying: error)
            ]
        }
    }
}
