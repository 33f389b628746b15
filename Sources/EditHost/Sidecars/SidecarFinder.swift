// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc
import Library
import RunnerHost
import Synchronization

/// Finds the sidecars beside referenced originals as an import does.
final class SidecarFinder: Sendable {
    /// The names in the last folder in which several originals might share a sidecar, by their names without filename
    /// extensions.
    private let names = Mutex<(folder: String, byStem: [FileName: [String]])?>(nil)

    /// The names of files that interrupted writes left, by folders.
    private let leftovers = Mutex<[String: String?]>([:])
    /// The age in seconds of a file that is not being written any more.
    private let leftoverAge: Int

    /// Creates a finder.
    ///
    /// - Parameter leftoverAge: The age in seconds from which a temporary file counts as left by an interrupted write.
    init(leftoverAge: Int = 60) { self.leftoverAge = leftoverAge }

    /// Returns the name of a temporary file that an interrupted write left in a folder; nil if there is none or the
    /// folder cannot be listed. It may contain a sidecar of another program.
    func leftover(in folder: Folder) -> String? {
        if let known = leftovers.withLock({ $0[folder.path] }) { return known }
        let limit = time(nil) - leftoverAge
        let found = (try? folder.names())?.first { name in
            guard name.hasPrefix(UnnamedFile.replacingPrefix),
                let status = try? folder.status(name)
            else { return false }
            return max(status.st_ctim.tv_sec, status.st_mtim.tv_sec) <= limit
        }
        leftovers.withLock { $0[folder.path] = .some(found) }
        return found
    }

    /// Returns the name of the sidecar that takes precedence over the others.
    ///
    /// - Parameters:
    ///   - picture: The name of the original's file.
    ///   - raws: The names of the RAW files beside it that belong to the same asset.
    /// - Returns: Nil if there is no sidecar.
    /// - Throws: `HostError` with `fileFailed`.
    func mainSidecar(of picture: FileName, raws: [FileName], in folder: Folder) throws -> String? {
        let order = SidecarOrder(original: picture.text, raws: raws.map(\.text))
        let stems = Set([picture, picture.parts.stem] + raws)
        let found = try stems.flatMap { stem in
            try Self.endings.map { stem.text + $0 }.filter { try exists($0, in: folder) }
        }.sorted { order.precedes(FileName($0), FileName($1)) }
        guard let first = found.first else { return nil }
        // Only the picture can have sidecars with its whole name.
        if FileName(first).parts.stem == picture { return first }
        let others = try files(sharing: picture.parts.stem, in: folder)
        let groups = ImportGroup.groups(of: others + found)
        let own = groups.first { FileName($0.primary) == picture }?.companions ?? []
        let companions = Set(own.map { FileName($0) })
        return found.first { companions.contains(FileName($0)) }
    }

    /// The spellings of the filename extension.
    private static let endings = ["x", "X"].flatMap { first in
        ["m", "M"].flatMap { second in ["p", "P"].map { ".\(first)\(second)\($0)" } }
    }

    private func exists(_ name: String, in folder: Folder) throws -> Bool {
        do {
            return try folder.status(name) != nil
        } catch {
            // A name with the extension may be too long.
            if error.number == ENAMETOOLONG { return false }
            throw HostError.file("cannot be examined", path: "\(folder.path)/\(name)", error)
        }
    }

    /// Returns the names in a folder that have a stem, with any filename extension but that of sidecars, or with none.
    private func files(sharing stem: FileName, in folder: Folder) throws -> [String] {
        try names.withLock { names in
            if names?.folder != folder.path {
                do {
                    let found = try folder.names().filter { !ImportFilenameExtension.isSidecar($0) }
                    names = (
                        folder.path, Dictionary(grouping: found) { FileName($0).parts.stem }
                    )
                } catch let error as SystemError {
                    throw HostError.file("cannot be listed", path: folder.path, error)
                }
            }
            return names?.byStem[stem] ?? []
        }
    }
}
