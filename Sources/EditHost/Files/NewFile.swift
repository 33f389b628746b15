// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc

/// Writes files that were not there before.
enum NewFile {
    /// A file that is to be, and its name.
    struct Named {
        let source: OutgoingFile
        let name: NumberedFilename
    }

    /// A file that is complete, and has no name yet, or only one of ours.
    struct Part {
        /// Where it is until it has its name: in `/proc` where it has none.
        fileprivate let path: String
        /// Kept open: without a name it is gone when it is closed, however this program ends.
        fileprivate let file: OpenFile
        /// The name of ours that it can have for a moment.
        fileprivate let spare: String
        let hash: SHA256Digest
        let size: Int
        /// When it was modified, in nanoseconds since 1970.
        let modified: Int
    }

    /// Writes all bytes of some files into new ones, whose names get `-1`, `-2` and so on, all the same,
    /// where one is taken. They appear under their names only when all are complete, and are what they
    /// are expected to be.
    ///
    /// - Returns: their paths.
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`; `LibraryError` where the bytes are not
    ///   the expected ones; `CancellationError`. None is left then.
    static func write(_ files: [Named], in folder: String) throws -> [String] {
        try FileManager.default.makeFolder(folder)
        var parts = try prepare(files, in: folder)
        defer { remove(parts) }
        return try name(&parts, of: files, in: folder) { _, _ in }.map { "\(folder)/\($0)" }
    }

    /// Writes all bytes of some files, without giving them names of theirs.
    ///
    /// - Throws: as ``write(_:in:)``. None is left then.
    static func prepare(_ files: [Named], in folder: String) throws -> [Part] {
        var parts: [Part] = []
        do {
            for file in files { parts.append(try copy(file.source, to: folder)) }
        } catch {
            remove(parts)
            throw error
        }
        return parts
    }

    /// Removes the names of ours that files have, or had.
    static func remove(_ parts: [Part]) {
        for part in parts { unlink(part.spare) }
    }

    /// The names of some files with a number, below a folder.
    static func names(of files: [Named], number: Int, in folder: String) -> [String] {
        let limit = maximumNameLength(in: folder)
        // A library may give two files one name.
        let names = files.map { $0.name.text(number: 0, limit: limit).lowercased() }
        return files.indices.map { index in
            let before = names[..<index].count { $0 == names[index] }
            return files[index].name.text(number: number + before, limit: limit)
        }
    }

    /// Gives complete files the first names that are free, with the same number.
    ///
    /// - Parameters:
    ///   - replaced: names of files that are replaced.
    ///   - isThere: whether what has a name already is what the file of that index would be; then it stays, and the
    ///     name counts as given.
    ///   - willName: told the number and the names before they are given.
    /// - Returns: the names.
    /// - Throws: `HostError` with `fileFailed`; what `willName` throws. None has a name then, but for those in the place of
    ///   `replaced`.
    static func name(
        _ parts: inout [Part], of files: [Named], in folder: String,
        replacing replaced: Set<String> = [], isThere: (Int, String) -> Bool = { _, _ in false },
        willName: (Int, [String]) throws -> Void
    ) throws -> [String] {
        for number in 0... {
            try Task.checkCancellation()
            let names = names(of: files, number: number, in: folder)
            var fresh = names.indices.filter { !replaced.contains(names[$0]) }
            let present = fresh.filter { isTaken("\(folder)/\(names[$0])") }
            let taken = present.first { !isThere($0, names[$0]) }
            fresh.removeAll(where: present.contains)
            guard taken == nil && number == 0 || files.allSatisfy(\.name.isNumbered) else {
                throw HostError(
                    .fileFailed,
                    "\(folder)/\(names[taken ?? 0]) is there already; with {sequence} at its end the template gives "
                        + "numbers")
            }
            if taken != nil { continue }
            try willName(number, names)
            var made = 0
            while made < fresh.count, name(parts[fresh[made]], "\(folder)/\(names[fresh[made]])") {
                made += 1
            }
            if made == fresh.count {
                for index in names.indices where replaced.contains(names[index]) {
                    try name(parts[index], "\(folder)/\(names[index])", replaces: true)
                }
                return names
            }
            let failure = errno
            for index in fresh[..<made] {
                _ = "\(folder)/\(names[index])".withPath { unlink($0) }
            }
            errno = failure
            guard failure == EEXIST else {
                throw HostError.file("cannot be made", path: "\(folder)/\(names[fresh[made]])")
            }
            // Where a link cannot be made, the part itself became the file; and what has lost its only name gets none again.
            for index in fresh[..<made]
            where parts[index].path != parts[index].spare || access(parts[index].path, F_OK) != 0 {
                parts[index] = try copy(files[index].source, to: folder)
            }
        }
        throw HostError(.fileFailed, "\(folder) has no free name")
    }

    /// Whether a path stands for something, be it a link that leads nowhere.
    private static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return path.withPath { lstat($0, &status) } == 0
    }

    /// Gives a complete file a name.
    ///
    /// - Parameter replaces: whether something has that name, whose place it takes.
    /// - Throws: `HostError` with `fileFailed`.
    static func name(_ part: Part, _ path: String, replaces: Bool) throws {
        let isDone = replaces ? move(part, to: path) : name(part, path)
        guard isDone else { throw HostError.file("cannot be made", path: path) }
    }

    /// Puts a complete file in the place of another one; tells whether it did, else `errno` says why.
    private static func move(_ part: Part, to path: String) -> Bool {
        if part.path != part.spare {
            guard link(part.path, as: part.spare) else { return false }
        }
        return path.withPath { rename(part.spare, $0) == 0 }
    }

    /// Gives a file another name; tells whether it did, else `errno` says why.
    private static func link(_ path: String, as other: String) -> Bool {
        other.withPath { linkat(AT_FDCWD, path, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) == 0 }
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
    /// - Parameter written: told how many bytes more have been written.
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`; `LibraryError` where the bytes are not
    ///   the expected ones; `CancellationError`.
    static func make(
        _ path: String, with source: OutgoingFile, written: (Int) -> Void = { _ in }
    ) throws {
        let part = try copy(source, to: path.pathParts.folder, written: written)
        defer { remove([part]) }
        guard name(part, path) else {
            throw HostError.file("cannot be made", path: path)
        }
    }

    /// Writes all bytes of a file to a path, unless something is there.
    ///
    /// - Returns: whether nothing was.
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`.
    static func makeIfAbsent(_ path: String, with source: OutgoingFile) throws -> Bool {
        let part = try copy(source, to: path.pathParts.folder)
        defer { remove([part]) }
        if name(part, path) { return true }
        guard errno == EEXIST else { throw HostError.file("cannot be made", path: path) }
        return false
    }

    /// Gives a file a name that must be free; tells whether it did, else `errno` says why.
    private static func name(_ part: Part, _ path: String) -> Bool {
        if link(part.path, as: path) { return true }
        // The file systems of memory cards have no links: there an empty file holds the name.
        guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno), part.path == part.spare else {
            return false
        }
        return path.withPath { path in
            let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard number >= 0 else { return false }
            close(number)
            return rename(part.path, path) == 0
        }
    }

    /// Writes all bytes of a descriptor to a path; a file that is there is replaced at once, or a link, not what it leads
    /// to.
    ///
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`; so where something else than a file is there.
    static func replace(_ path: String, with bytes: OpenFile) throws {
        var status = stat()
        if path.withPath({ lstat($0, &status) }) == 0 {
            let kind = FileKind(status)
            guard [.regularFile, .link].contains(kind) else {
                throw HostError(
                    .fileFailed, "\(path) is \(kind.rawValue), and is not replaced by a file")
            }
        }
        let part = try copy(OutgoingFile(bytes), to: path.pathParts.folder)
        defer { remove([part]) }
        try name(part, path, replaces: true)
    }

    private static func copy(
        _ source: OutgoingFile, to folder: String, written: (Int) -> Void = { _ in }
    ) throws -> Part {
        let spare = "\(folder)/.edithost-\(UUID().uuidString)"
        let (file, path) = try make(in: folder, spare)
        do {
            var parts = source.parts()
            while let part = try parts.next() {
                try Task.checkCancellation()
                try file.copy(part)
                written(part.count)
            }
            try file.endCopy()
            let status = try file.hostStatus()
            return Part(
                path: path, file: file, spare: spare, hash: parts.hash, size: Int(status.st_size),
                modified: status.st_mtim.nanoseconds)
        } catch let error as HostError {
            unlink(spare)
            throw HostError(error.code, "a file in \(folder): \(error.message)", underlying: error)
        } catch {
            unlink(spare)
            throw error
        }
    }

    /// Makes a file without a name, or, where a file system has none such, with a name of ours.
    ///
    /// - Returns: it, and the path by which it can be given a name.
    private static func make(
        in folder: String, _ spare: String
    ) throws -> (file: OpenFile, path: String) {
        let nameless = folder.withPath { open($0, temporaryFile | O_WRONLY | O_CLOEXEC, 0o666) }
        let path = "/proc/self/fd/\(nameless)"
        // Without /proc it could not be given one.
        if nameless >= 0 {
            let file = OpenFile(descriptor: nameless)
            if access(path, F_OK) == 0 { return (file, path) }
        }
        let number = spare.withPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
        guard number >= 0 else { throw HostError.file("cannot be written", path: folder) }
        return (OpenFile(descriptor: number), spare)
    }

    /// `O_TMPFILE`, which Glibc's module leaves out; with `O_DIRECTORY`, so that kernels without it refuse.
    private static let temporaryFile: CInt = 0o20_000_000 | O_DIRECTORY
}

extension timespec {
    /// Nanoseconds since 1970; 0 where there are too many.
    var nanoseconds: Int {
        let (seconds, isTooLate) = Int(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isMore) = seconds.addingReportingOverflow(Int(tv_nsec))
        return isTooLate || isMore ? 0 : sum
    }
}

extension FileManager {
    /// Makes a folder, and those above it, where it is not there.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    fileprivate func makeFolder(_ path: String) throws {
        guard !path.isEmpty else { throw HostError(.fileFailed, "the folder has no name") }
        let number = Self.madeFolder(path)
        guard number != 0 else { return }
        throw HostError(
            .fileFailed,
            number == EEXIST
                ? "\(path) is a file, not a folder"
                : "the folder \(path) cannot be made: \(String(cString: strerror(number)))")
    }

    /// Gives 0, or why a folder cannot be made.
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
        // Somebody else may have made it meanwhile.
        return path.withPath { mkdir($0, 0o777) } == 0 || errno == EEXIST ? 0 : errno
    }
}
