// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

/// Writes files that were not there before.
enum NewFile {
    /// Writes all bytes of a file into a new one, whose name gets `-1`, `-2` and so on where it is
    /// taken. It appears under its name only when it is complete, and is what it is expected to be.
    ///
    /// - Returns: its path.
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`; `LibraryError` where the bytes are not
    ///   the expected ones; `CancellationError`.
    static func write(
        _ source: OutgoingFile, in folder: String, named filename: SafeFilename
    ) throws -> String {
        try FileManager.default.makeFolder(folder)
        let part = try copy(source, to: folder)
        defer { unlink(part) }
        let limit = maximumNameLength(in: folder)
        for attempt in 0... {
            let path = "\(folder)/\(filename.text(number: attempt, limit: limit))"
            if name(part, path) { return path }
            guard errno == EEXIST else {
                throw HostError.file("cannot be made", path: path)
            }
        }
        throw HostError(.fileFailed, "\(folder) has no free name for \(filename.text())")
    }

    /// Makes a folder where there is none.
    ///
    /// - Throws: `HostError` with `fileFailed` where nothing can be written into it.
    static func requireWritableFolder(_ folder: String) throws {
        try FileManager.default.makeFolder(folder)
        guard access(folder, W_OK | X_OK) == 0 else {
            throw HostError.file("cannot be written", path: folder)
        }
    }

    /// Some file systems, encrypting ones for example, take shorter names than others.
    private static func maximumNameLength(in folder: String) -> Int {
        let limit = pathconf(folder, Int32(_PC_NAME_MAX))
        // A name of ours must fit beside it, in any case.
        return limit < 64 ? SafeFilename.maximumBytes : min(limit, SafeFilename.maximumBytes)
    }

    /// Writes all bytes of a file to a path where nothing is. The file appears only when it is
    /// complete, and what it is expected to be.
    ///
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`; `LibraryError` where the bytes are not
    ///   the expected ones; `CancellationError`.
    static func make(_ path: String, with source: OutgoingFile) throws {
        let part = try copy(source, to: folder(of: path))
        defer { unlink(part) }
        guard name(part, path) else {
            throw HostError.file("cannot be made", path: path)
        }
    }

    /// Gives a file a name that must be free; tells whether it did, else `errno` says why.
    private static func name(_ part: String, _ path: String) -> Bool {
        if path.withPath({ link(part, $0) }) == 0 { return true }
        // The file systems of memory cards have no links: there an empty file holds the name.
        guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { return false }
        return path.withPath { path in
            let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard number >= 0 else { return false }
            close(number)
            return rename(part, path) == 0
        }
    }

    /// Writes all bytes of a descriptor to a path; a file that is there is replaced at once.
    ///
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`.
    static func replace(_ path: String, with bytes: OpenFile) throws {
        let part = try copy(OutgoingFile(bytes), to: folder(of: path))
        guard rename(part, path) == 0 else {
            let failure = HostError.file("cannot be made", path: path)
            unlink(part)
            throw failure
        }
    }

    /// The folder that a file lies in. Foundation's own traps on a name of one character.
    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func copy(_ source: OutgoingFile, to folder: String) throws -> String {
        let path = "\(folder)/.edithost-\(UUID().uuidString)"
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw HostError.file("cannot be written", path: folder) }
        let file = OpenFile(descriptor: number)
        do {
            var parts = source.parts()
            while let part = try parts.next() {
                try Task.checkCancellation()
                try file.append(part)
            }
            return path
        } catch let error as HostError {
            unlink(path)
            throw HostError(error.code, "a file in \(folder): \(error.message)", underlying: error)
        } catch {
            unlink(path)
            throw error
        }
    }
}

extension FileManager {
    /// Makes a folder, and those above it, where it is not there.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    fileprivate func makeFolder(_ path: String) throws {
        do {
            try createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw HostError(
                .fileFailed, "the folder \(path) cannot be made: \(error.localizedDescription)",
                underlying: error)
        }
    }
}
