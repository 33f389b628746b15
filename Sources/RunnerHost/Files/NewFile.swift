// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

/// Creates new files.
///
/// Every folder is opened once. Files are created, named, replaced and removed through its descriptor, one path
/// component at a time, and symbolic links are not followed. Changes that other processes make to the paths therefore
/// have no effect.
package enum NewFile {
    /// Writes bytes to a path. Atomically replaces an existing file, or a symbolic link, but not the link's
    /// target.
    ///
    /// - Throws: `HostError` with `fileFailed`, including if the path is neither a file nor a link.
    package static func replace(_ path: String, with bytes: OpenFile) throws {
        try replace(place(of: path), path, with: bytes)
    }

    /// Writes bytes to a place in an open folder.
    ///
    /// - Parameter path: The path in messages.
    package static func replace(
        _ place: Folder.Place, _ path: String, with bytes: OpenFile
    ) throws {
        try requireReplaceable(place, path)
        let file = try UnnamedFile(in: place.folder) { try copy(bytes, to: $0) }
        try move(file, to: place, path)
    }

    /// Writes bytes to a path as they become available. Atomically replaces an existing file, or a symbolic link, but
    /// not the link's target. No partial file is left if the process is killed while they are made.
    ///
    /// - Parameter write: Appends the bytes to an empty file.
    /// - Throws: `HostError` with `fileFailed`, including if the path is neither a file nor a link;
    ///   errors of `write`. No file is changed then.
    package static func replace(
        _ path: String, _ write: (UnnamedFile) async throws -> Void
    ) async throws {
        let place = try place(of: path)
        try requireReplaceable(place, path)
        try await replace(place, path, using: place.folder.makeUnnamedFile(), write)
    }

    /// Writes bytes to a place as they become available.
    ///
    /// - Parameter nameless: A nameless file in the folder; nil if its file system does not support any. The bytes are
    ///   then collected in the temporary folder.
    static func replace(
        _ place: Folder.Place, _ path: String, using nameless: OpenFile?,
        _ write: (UnnamedFile) async throws -> Void
    ) async throws {
        let bytes = try nameless ?? makeTemporaryFile()
        let file = UnnamedFile(nameless: bytes, in: place.folder)
        try await write(file)
        if nameless == nil {
            try replace(place, path, with: bytes)
        } else {
            try move(file, to: place, path)
        }
    }

    private static func makeTemporaryFile() throws -> OpenFile {
        do {
            return try .unnamed()
        } catch {
            throw HostError.file("cannot be created", path: "a temporary file", error.number)
        }
    }

    private static func move(
        _ file: UnnamedFile, to place: Folder.Place, _ path: String
    ) throws {
        defer { file.remove() }
        do {
            try file.move(to: place)
        } catch {
            throw HostError.output("cannot be created", path: path, error.number)
        }
    }

    /// Requires that a file can be written to a path, which may be that of an existing file or symbolic link. Lets
    /// callers report an unusable path before any work.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package static func requireReplaceable(_ path: String) throws {
        let place = try place(of: path)
        guard place.folder.isWritable else {
            throw HostError.output(path: place.folder.path)
        }
        try requireReplaceable(place, path)
    }

    /// Requires that a path is free, for a file whose name the user has not given.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package static func requireAbsent(_ path: String) throws {
        let place = try place(of: path)
        do throws(SystemError) {
            guard try place.status() != nil else { return }
        } catch {
            throw HostError.file("cannot be created", path: path, error.number)
        }
        throw HostError(
            .fileFailed, "\(path) already exists; move it away, or choose another name")
    }

    private static func requireReplaceable(_ place: Folder.Place, _ path: String) throws {
        guard let kind = (try? place.status()).map({ FileKind($0) }),
            ![.regularFile, .link].contains(kind)
        else { return }
        throw HostError(.fileFailed, "\(path) is \(kind.rawValue) and is not overwritten")
    }

    static func copy(_ bytes: OpenFile, to file: OpenFile) throws {
        var offset = 0
        while true {
            let part = try bytes.read(count: 1 << 20, at: offset)
            if part.isEmpty { break }
            try Task.checkCancellation()
            try file.copy(part)
            offset += part.count
        }
        try file.endCopy()
    }

    /// Opens the folder of a path and returns it with the name in it.
    package static func place(of path: String) throws -> Folder.Place {
        let (folder, name) = path.pathParts
        guard !["", ".", ".."].contains(name) else {
            throw HostError(.fileFailed, "\(path) is a folder, not a file")
        }
        return Folder.Place(folder: try open(folder), name: name)
    }

    /// Opens a folder for writing.
    package static func open(_ path: String) throws -> Folder {
        do {
            return try Folder(writing: path)
        } catch {
            guard error.number == ENOENT else { throw HostError.output(path: path, error.number) }
            throw HostError(
                .fileFailed, "the folder \(path) does not exist; create it")
        }
    }
}
