// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FoundationEssentials
import Glibc

/// The user's settings in a backup: `config.json` and the presets.
///
/// The records about extensions are not included, because extensions are trusted on each computer.
struct SettingsFiles {
    /// The backup's folder.
    let root: Folder

    private static let folders = ["presets", "export-presets"]
    /// The maximum size of a file, in bytes, and the maximum number of files in a folder.
    private static let limit = (size: 16 << 20, count: 10_000)

    /// Copies new and changed settings to the backup. Removed ones stay.
    ///
    /// - Parameter configuration: The path of the user's configuration folder. Links in it are followed.
    /// - Returns: The number of copied files.
    /// - Throws: `LibraryError`.
    func backUp(from configuration: String) throws -> Int {
        var count = 0
        for name in try Self.names(in: { try? Folder(root: configuration + $0) }) {
            let path = "\(configuration)/\(name.text)"
            do {
                let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
                guard try file.systemStatus().isPlainFile else { continue }
                let data = try Self.content(of: file)
                let place = try root.makeFolderIfNeeded(LibraryName.settings).makePlace(of: name)
                if try Self.content(of: place) == data { continue }
                try Self.write(data, to: place, replacing: true)
                count += 1
            } catch let error as SystemError {
                throw LibraryError.writing(path, error)
            }
        }
        return count
    }

    /// Copies settings that are missing in the user's configuration folder from the backup. Existing
    /// ones are kept.
    ///
    /// - Parameter configuration: The path of the user's configuration folder, which is created if
    ///   it is missing.
    /// - Returns: The paths of the restored settings, and of those that were kept although they
    ///   differ.
    /// - Throws: `LibraryError`.
    func restore(to configuration: String) throws -> RestoredSettings {
        var result = RestoredSettings()
        do {
            guard let settings = try root.folderIfPresent(LibraryName.settings) else {
                return result
            }
            let names = try Self.names(in: { path in
                path.isEmpty ? settings : try? settings.folder(String(path.dropFirst()))
            })
            if names.isEmpty { return result }
            try FileManager.default.createDirectory(
                atPath: configuration, withIntermediateDirectories: true)
            let target = try Folder(root: configuration)
            for name in names {
                guard let source = try settings.place(of: name),
                    let data = try Self.content(of: source)
                else { continue }
                let path = "\(configuration)/\(name.text)"
                let place = try target.makePlace(of: name)
                if let status = try place.status() {
                    if try !status.isPlainFile || Self.content(of: place) != data {
                        result.kept.append(path)
                    }
                } else {
                    try Self.write(data, to: place, replacing: false)
                    result.restored.append(path)
                }
            }
            return result
        } catch let error as SystemError {
            throw LibraryError.writing(configuration, error)
        }
    }

    /// Returns the names of settings in a folder.
    ///
    /// - Parameter open: Opens a folder below it; the path is empty or begins with a slash.
    private static func names(in open: (String) -> Folder?) throws -> [FileName] {
        var names: [FileName] = []
        if let folder = open(""), (try? folder.status("config.json")) != nil {
            names.append(FileName("config.json"))
        }
        for folder in folders {
            guard let opened = open("/" + folder) else { continue }
            for name in try files(in: opened) { names.append(FileName("\(folder)/\(name)")) }
        }
        return names
    }

    private static func files(in folder: Folder) throws -> [String] {
        let entries: [Folder.Entry]?
        do {
            entries = try folder.entries(atMost: limit.count)
        } catch {
            throw LibraryError.reading(folder.path, error)
        }
        guard let entries else {
            throw LibraryError(
                .cannotRead, "there are more than \(limit.count) files", path: folder.path)
        }
        return entries.map(\.name).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
    }

    /// Returns the content of a file, or nil if it does not exist.
    private static func content(of place: Folder.Place) throws -> Data? {
        guard try place.status() != nil else { return nil }
        return try content(of: place.folder.file(place.name, O_RDONLY))
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

    private static func write(_ data: Data, to place: Folder.Place, replacing: Bool) throws {
        try place.folder.writeAtomically(place.name, replacing: replacing) { file in
            try data.withUnsafeBytes { try file.append($0) }
        }
    }
}
