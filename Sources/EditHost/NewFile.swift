// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Writes files that were not there before.
enum NewFile {
    /// Writes all bytes of a descriptor into a new file, whose name gets `-1`, `-2` and so on
    /// where it is taken. The file appears under its name only when it is complete.
    ///
    /// - Returns: its path.
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`.
    static func write(
        _ bytes: OwnedDescriptor, in folder: String, stem: String, ending: String
    ) throws -> String {
        try FileManager.default.makeFolder(folder)
        let part = try copy(bytes, to: folder)
        defer { unlink(part) }
        for attempt in 0... {
            let numbered = attempt == 0 ? stem : "\(stem)-\(attempt)"
            let path = "\(folder)/\(numbered).\(ending)"
            if name(part, path) { return path }
            guard errno == EEXIST else {
                throw OwnedDescriptor.failure("cannot be made", path: path)
            }
        }
        throw HostError(.fileFailed, "\(folder) has no free name for \(stem).\(ending)")
    }

    /// Writes all bytes of a descriptor to a path where nothing is. The file appears only when it
    /// is complete.
    ///
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`; `CancellationError`.
    static func make(_ path: String, with bytes: OwnedDescriptor) throws {
        let part = try copy(bytes, to: folder(of: path))
        defer { unlink(part) }
        guard name(part, path) else {
            throw OwnedDescriptor.failure("cannot be made", path: path)
        }
    }

    /// Gives a file a name that must be free; tells whether it did, else `errno` says why.
    private static func name(_ part: String, _ path: String) -> Bool {
        if link(part, path) == 0 { return true }
        // The file systems of memory cards have no links: there an empty file holds the name.
        guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { return false }
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard number >= 0 else { return false }
        close(number)
        return rename(part, path) == 0
    }

    /// Writes all bytes of a descriptor to a path; a file that is there is replaced at once.
    ///
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`.
    static func replace(_ path: String, with bytes: OwnedDescriptor) throws {
        let part = try copy(bytes, to: folder(of: path))
        guard rename(part, path) == 0 else {
            let failure = OwnedDescriptor.failure("cannot be made", path: path)
            unlink(part)
            throw failure
        }
    }

    /// The folder that a file lies in. Foundation's own traps on a name of one character.
    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func copy(_ bytes: OwnedDescriptor, to folder: String) throws -> String {
        let path = "\(folder)/.edithost-\(UUID().uuidString)"
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw OwnedDescriptor.failure("cannot be written", path: folder) }
        let file = OwnedDescriptor(taking: number)
        do {
            var offset = 0
            while true {
                try Task.checkCancellation()
                let part = try bytes.read(count: 1 << 20, at: offset)
                if part.isEmpty { return path }
                try file.write(part)
                offset += part.count
            }
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
