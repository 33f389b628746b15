// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

/// A file that has no name yet, or only a temporary one.
package struct UnnamedFile {
    /// The folder in which the file was written.
    private let folder: Folder
    /// The open file. A nameless file is deleted when it is closed, even if the process is killed.
    private let file: OpenFile
    /// Whether the file has no name at all.
    private let isNameless: Bool
    /// The temporary name of the file. A nameless file gets it only briefly, while it is moved into place.
    private let spare: String

    /// True if the file cannot be named again once the name given by ``name(_:)`` has been removed. The kernel does not
    /// link a nameless file again after its only link is gone. On file systems without hard links, the file was moved,
    /// so it has no temporary name any more.
    package var isSpent: Bool { isNameless || (try? folder.status(spare)) == nil }

    /// The beginning of temporary names.
    package static let prefix = ".edithost-"
    /// The beginning of the temporary names of files that replace others by ``replace(_:if:)``.
    package static let replacingPrefix = ".edithost-replacing-"

    /// Creates a file in a folder.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the temporary name.
    ///   - write: Writes the bytes of the file.
    /// - Throws: `HostError` with `fileFailed`; other errors of `write`. No file is left then.
    package init(
        in folder: Folder, prefix: String = Self.prefix, _ write: (OpenFile) throws -> Void
    ) throws {
        let spare = prefix + UUID().uuidString
        let unnamed = folder.makeUnnamedFile()
        do {
            let file = try unnamed ?? folder.makeFile(spare, mode: 0o666)
            try write(file)
            self.folder = folder
            self.file = file
            self.spare = spare
            isNameless = unnamed != nil
        } catch {
            if unnamed == nil { try? folder.removeFile(spare) }
            throw Self.failure(error, in: folder)
        }
    }

    /// Creates a file from a nameless one.
    ///
    /// - Parameter folder: The folder in which the file will get its name, and that is named by errors.
    init(nameless file: OpenFile, in folder: Folder) {
        (self.folder, self.file) = (folder, file)
        isNameless = true
        spare = Self.prefix + UUID().uuidString
    }

    /// Returns an error that names the folder instead of the file.
    private static func failure(_ error: any Error, in folder: Folder) -> any Error {
        switch error {
        case let error as SystemError:
            HostError.output(path: folder.path, error.number)
        case let error as HostError:
            HostError(
                error.code, "cannot write into \(folder.path): \(error.message)",
                underlying: error)
        default: error
        }
    }

    /// Appends bytes to the file.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package func append(_ data: Data) throws {
        do {
            try file.append(data)
        } catch {
            throw Self.failure(error, in: folder)
        }
    }

    /// Removes the temporary name of the file, if it still exists.
    package func remove() { try? folder.removeFile(spare) }

    /// Moves the file into place, replacing an existing one.
    package func move(to place: Folder.Place) throws(SystemError) {
        if isNameless { try folder.link(file, as: spare) }
        try folder.move(spare, to: place.folder, as: place.name)
    }

    /// Replaces an existing file if it is the expected one.
    ///
    /// The two files are exchanged, and exchanged back if another program has replaced the file after the comparison. If
    /// the process is killed between both, the other program's file keeps the temporary name. A file system that cannot
    /// exchange files replaces it right after the comparison. The temporary name is removed.
    ///
    /// - Returns: Whether it was replaced. If not, the existing file, if any, is as the other program left it.
    package func replace(
        _ place: Folder.Place, if isExpected: (OpenFile) throws(SystemError) -> Bool
    ) throws(SystemError) -> Bool {
        do {
            guard try isExpected(place.folder.file(place.name, O_RDONLY)) else {
                remove()
                return false
            }
            if isNameless { try folder.link(file, as: spare) }
        } catch {
            remove()
            if error.number == ENOENT { return false }
            throw error
        }
        do {
            try folder.exchange(spare, with: place.name, in: place.folder)
        } catch {
            defer { remove() }
            if error.number == ENOENT { return false }
            guard Folder.isRenameUnsupported(error.number) else { throw error }
            guard try isExpected(place.folder.file(place.name, O_RDONLY)) else { return false }
            try folder.move(spare, to: place.folder, as: place.name)
            return true
        }
        let old = try? folder.file(spare, O_RDONLY)
        let isReplaced = try? old.map(isExpected)
        // If this fails, the other program's file keeps the temporary name.
        if isReplaced != true { try restore(place) }
        remove()
        return isReplaced == true
    }

    /// Exchanges the file back with the one that it has replaced.
    private func restore(_ place: Folder.Place) throws(SystemError) {
        let own = FileIdentity(try file.systemStatus())
        do {
            try folder.exchange(spare, with: place.name, in: place.folder)
            // Another program may have replaced this file in the meantime. Its last version stays.
            guard let status = try folder.status(spare), FileIdentity(status) != own else { return }
            try folder.exchange(spare, with: place.name, in: place.folder)
        } catch {
            // Another program may have removed the file, which it has not seen in its last version.
            guard error.number == ENOENT else { throw error }
            try folder.link(spare, in: place.folder, as: place.name)
        }
    }

    /// Gives the file a name that must be free.
    package func name(_ place: Folder.Place) throws(SystemError) {
        guard !isNameless else { return try place.folder.link(file, as: place.name) }
        do {
            try folder.link(spare, in: place.folder, as: place.name)
        } catch {
            // FAT file systems have no hard links. There an empty file reserves the name.
            guard [EPERM, EOPNOTSUPP, ENOSYS].contains(error.number) else { throw error }
            _ = try place.folder.makeFile(place.name, mode: 0o666)
            do {
                try folder.move(spare, to: place.folder, as: place.name)
            } catch {
                try? place.folder.removeFile(place.name)
                throw error
            }
        }
    }
}
