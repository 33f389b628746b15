// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Library
import RunnerHost

/// The folder of a plan, shared by the machine of the library and the nodes.
///
/// Its content is untrusted: it is opened by descriptors without following links, read within limits, and checked.
/// Every file is written completely under a new name. See docs/reference/work-folders.md.
package struct WorkFolder: Sendable {
    /// The folder itself.
    package let root: Folder
    /// The path of the folder, for messages and commands.
    package var path: String { root.path }

    static let planLimits = JSONLimits(bytes: 256 << 20, values: 4_000_000, depth: 24)
    /// A recipe takes up to 22 MiB in Base64.
    static let jobLimits = JSONLimits(bytes: 32 << 20, values: 200_000, depth: 24)
    static let outcomeLimits = JSONLimits(bytes: 4 << 20, values: 200_000, depth: 8)
    /// The limits of files with one small object.
    static let noteLimits = JSONLimits(bytes: 256 << 10, values: 10_000, depth: 8)
    /// The maximum size of the file of a shard, in bytes.
    static let maximumShardSize = 64 << 30
    /// The maximum size of a file of results, in bytes, and the size of the files that are read at a time.
    static let maximumResultsSize = 64 << 20
    /// The maximum number of files of an attempt, and of results of a plan's shards.
    static let maximumEntryCount = 1_000_000
    /// The maximum number of attempts at a shard.
    static let maximumAttemptCount = 10_000

    /// Opens the folder of a plan.
    ///
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`.
    package init(at path: String) throws {
        do {
            root = try Folder(root: path)
        } catch {
            throw HostError.file("cannot be opened", path: path, error)
        }
    }

    /// Throws an error if a path is inside a library, or if something other than an empty folder exists there.
    ///
    /// - Throws: `HostError` with `fileFailed`; `LibraryError` if it is inside a library.
    static func requireFree(_ path: String) throws {
        try PhotoLibrary.requireOutsideLibraries(path)
        guard try stat.ofPath(path) != nil else { return }
        try WorkFolder(at: path).requireEmpty()
    }

    private func requireEmpty() throws {
        let names = try failing("cannot be listed", path) { try root.names() }
        guard names.isEmpty else {
            throw HostError(.fileFailed, "\(path) is not empty; name a new folder for the plan")
        }
    }

    /// Creates the folder of a plan with mode 0700, or uses an existing empty folder.
    ///
    /// - Throws: `HostError` with `fileFailed` if it is not empty.
    static func create(at path: String) throws -> WorkFolder {
        let isMade = path.withPath { mkdir($0, 0o700) } == 0
        guard isMade || errno == EEXIST else {
            throw HostError.output("cannot be created", path: path)
        }
        let folder = try WorkFolder(at: path.resolvedPath ?? path)
        try folder.requireEmpty()
        return folder
    }

    /// Removes the files of a plan that could not be finished.
    func removeUnfinishedPlan() {
        for name in (try? root.names()) ?? [] {
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }

    // MARK: - Folders

    /// Opens a folder inside the work folder by its components; `nil` if it does not exist.
    ///
    /// - Throws: `HostError` with `fileFailed`, including if there is something other than a folder.
    package func folder(_ names: String...) throws -> Folder? {
        try failing("cannot be opened", "\(path)/\(names.joined(separator: "/"))") {
            var folder = root
            for name in names {
                guard let next = try folder.folderIfPresent(name) else { return nil }
                folder = next
            }
            return folder
        }
    }

    /// Opens a folder inside the work folder by its components, and creates what is missing with mode 0700.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func makeFolder(_ names: String...) throws -> Folder {
        try failing("cannot be created", "\(path)/\(names.joined(separator: "/"))") {
            var folder = root
            for name in names { folder = try Self.makeFolder(name, in: folder) }
            return folder
        }
    }

    private static func makeFolder(_ name: String, in folder: Folder) throws(SystemError) -> Folder
    {
        do {
            return try folder.makeFolder(name, mode: 0o700)
        } catch {
            guard error.number == EEXIST else { throw error }
            return try folder.folder(name)
        }
    }

    func failing<Result>(
        _ what: String, _ path: String, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as SystemError {
            throw HostError.file(what, path: path, error)
        }
    }
}
