// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc
import RunnerHost

extension NewFile {
    /// Creates a folder and its missing parents, and opens it for writing.
    ///
    /// - Throws: `HostError` with `fileFailed` if the folder is not writable.
    package static func folder(_ path: String) throws -> Folder {
        try FileManager.default.makeFolder(path)
        let folder = try open(path)
        try folder.requireWritable(path)
        return folder
    }

    /// Writes a file to a path that must be free. The file appears only when it is complete and has the
    /// expected bytes.
    ///
    /// - Parameter written: Called with the number of bytes written since the last call.
    /// - Throws: `HostError` with `fileFailed`; `LibraryError` if the bytes are not
    ///   the expected ones; `CancellationError`.
    static func make(
        _ path: String, with source: OutgoingFile, written: (Int) -> Void = { _ in }
    ) throws {
        try make(place(of: path), path, with: source, written: written)
    }

    /// Writes a file to a free place in an open folder.
    ///
    /// - Parameter path: The path in messages.
    static func make(
        _ place: Folder.Place, _ path: String, with source: OutgoingFile,
        written: (Int) -> Void = { _ in }
    ) throws {
        guard try makeIfAbsent(place, path, with: source, written: written) else {
            throw HostError.output("cannot be created", path: path, EEXIST)
        }
    }

    /// Writes a file to a path, unless that is taken.
    ///
    /// - Returns: Whether the file was written.
    /// - Throws: `HostError` with `fileFailed`.
    static func makeIfAbsent(_ path: String, with source: OutgoingFile) throws -> Bool {
        try makeIfAbsent(place(of: path), path, with: source) { _ in }
    }

    private static func makeIfAbsent(
        _ place: Folder.Place, _ path: String, with source: OutgoingFile, written: (Int) -> Void
    ) throws -> Bool {
        let part = try copy(source, to: place.folder, written: written)
        defer { remove([part]) }
        do {
            try part.file.name(place)
        } catch {
            guard error.number == EEXIST else {
                throw HostError.output("cannot be created", path: path, error.number)
            }
            return false
        }
        return true
    }
}

extension FileManager {
    /// Creates a folder and its missing parents.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    fileprivate func makeFolder(_ path: String) throws {
        guard !path.isEmpty else { throw HostError(.fileFailed, "the name of the folder is empty") }
        let number = Self.madeFolder(path)
        guard number != 0 else { return }
        throw HostError(
            .fileFailed,
            number == EEXIST
                ? "\(path) is a file, not a folder"
                : "the folder \(path) cannot be created: \(String(cString: strerror(number)))")
    }

    /// Returns 0, or the `errno` value of the failure.
    private static func madeFolder(_ path: String) -> Int32 {
        var status = stat()
        if path.withPath({ stat($0, &status) }) == 0 {
            return FileKind(status) == .folder ? 0 : EEXIST
        }
        let (above, isAbsent) = (path.pathParts.folder, errno == ENOENT)
        if isAbsent, above != path {
            let number = madeFolder(above)
            guard number == 0 else { return number == EEXIST ? ENOTDIR : number }
        }
        if path.withPath({ mkdir($0, 0o777) }) == 0 { return 0 }
        guard errno == EEXIST else { return errno }
        // Another process may have created it in the meantime, or it is a link whose target is missing.
        return path.withPath { stat($0, &status) } == 0 ? 0 : errno
    }
}
