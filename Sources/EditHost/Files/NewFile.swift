// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc

/// Writes files that were not there before.
///
/// Every folder is opened once; what is made, named, replaced or removed goes through its descriptor, one name at a time, and
/// no link is followed. So it does not matter what others exchange in the folder meanwhile.
enum NewFile {
    /// A file that is to be, and its name.
    struct Named {
        let source: OutgoingFile
        let name: NumberedFilename
    }

    /// A file that is complete, and has no name yet, or only one of ours.
    struct Part {
        /// The folder that it was written in.
        fileprivate let folder: Folder
        /// Kept open: without a name it is gone when it is closed, however this program ends.
        fileprivate let file: OpenFile
        /// Whether it has no name at all.
        fileprivate let isNameless: Bool
        /// The name of ours that it has, or can have for a moment.
        fileprivate let spare: String
        let hash: SHA256Digest
        let size: Int
        /// When it was modified, in nanoseconds since 1970.
        let modified: Int

        /// Whether the part is gone as soon as it loses the name that it was given.
        fileprivate var isSpent: Bool { isNameless || (try? folder.status(spare)) == nil }
    }

    /// How many numbers are tried until a name is free.
    private static let maximumNumber = 100_000
    /// How often a name that was free may be taken before the file gets it.
    private static let maximumRaces = 100

    /// Writes all bytes of some files into new ones, whose names get `-1`, `-2` and so on, all the same,
    /// where one is taken. They appear under their names only when all are complete, and are what they
    /// are expected to be.
    ///
    /// - Returns: their paths.
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`; `LibraryError` where the bytes are not
    ///   the expected ones; `CancellationError`. None is left then.
    static func write(_ files: [Named], in folder: Folder) throws -> [String] {
        var parts = try prepare(files, in: folder)
        defer { remove(parts) }
        return try name(&parts, of: files, in: folder) { _, _ in }.map { "\(folder.path)/\($0)" }
    }

    /// Writes all bytes of some files, without giving them names of theirs.
    ///
    /// - Throws: as ``write(_:in:)``. None is left then.
    static func prepare(_ files: [Named], in folder: Folder) throws -> [Part] {
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
        for part in parts { try? part.folder.removeFile(part.spare) }
    }

    /// The names of some files with a number, below a folder. A library may give two files one name, or names that some
    /// folders take for one; then the second has the next number.
    static func names(of files: [Named], number: Int, in folder: Folder) -> [FileName] {
        let limit = maximumNameLength(in: folder)
        var taken: Set<String> = []
        var next: [String: Int] = [:]
        return files.map { file in
            var name = FileName(file.name.text(number: number, limit: limit))
            let base = name.folded
            while !taken.insert(name.folded).inserted {
                let following = next[base, default: number] + 1
                next[base] = following
                name = FileName(file.name.text(number: following, limit: limit))
            }
            return name
        }
    }

    /// Gives complete files the first names that are free, with the same number.
    ///
    /// - Parameters:
    ///   - replaced: names of files that are replaced.
    ///   - advice: what to do if a name without a number is taken; nil: to let the template give numbers.
    ///   - isThere: whether what has a name already is what the file of that index would be; then it stays, and the
    ///     name counts as given.
    ///   - willName: told the number and the names before they are given.
    /// - Returns: the names.
    /// - Throws: `HostError` with `fileFailed`; what `willName` throws. None has a name then, but for those in the place of
    ///   `replaced`.
    static func name(
        _ parts: inout [Part], of files: [Named], in folder: Folder,
        replacing replaced: Set<FileName> = [], advice: String? = nil,
        isThere: (Int, FileName) -> Bool = { _, _ in false },
        willName: (Int, [FileName]) throws -> Void
    ) throws -> [FileName] {
        var races = 0
        for number in 0..<maximumNumber where races < maximumRaces {
            try Task.checkCancellation()
            let names = names(of: files, number: number, in: folder)
            let places = try names.map { try place(of: $0, in: folder) }
            var fresh = names.indices.filter { !replaced.contains(names[$0]) }
            let present = try fresh.filter { index in
                try failing(folder, names[index]) { try places[index].status() } != nil
            }
            let taken = present.first { !isThere($0, names[$0]) }
            fresh.removeAll(where: present.contains)
            guard taken == nil && number == 0 || files.allSatisfy(\.name.isNumbered) else {
                throw HostError(
                    .fileFailed,
                    "\(folder.path)/\(names[taken ?? 0]) already exists; "
                        + (advice ?? "end the template with {sequence} to number the files"))
            }
            if taken != nil { continue }
            try willName(number, names)
            if try give(fresh, of: parts, names, places, in: folder) {
                for index in names.indices where replaced.contains(names[index]) {
                    try failing(folder, names[index]) { try move(parts[index], to: places[index]) }
                }
                return names
            }
            races += 1
            // Where a link cannot be made, the part itself became the file; and what has lost its only name gets none again.
            for index in fresh where parts[index].isSpent {
                parts[index] = try copy(files[index].source, to: folder)
            }
        }
        throw HostError(
            .fileFailed,
            "no free name for "
                + "\(names(of: files, number: 0, in: folder).first?.text ?? "a file") in "
                + "\(folder.path)"
        )
    }

    /// Gives some of the files their names.
    ///
    /// - Returns: false: one was taken meanwhile, and none of them has its name.
    /// - Throws: `HostError` with `fileFailed`; none of them has its name then.
    private static func give(
        _ indices: [Int], of parts: [Part], _ names: [FileName], _ places: [Folder.Place],
        in folder: Folder
    ) throws -> Bool {
        var made: [Int] = []
        for index in indices {
            do {
                try name(parts[index], places[index])
                made.append(index)
            } catch {
                for index in made { try? places[index].folder.removeFile(places[index].name) }
                guard error.number == EEXIST else {
                    throw HostError.file(
                        "cannot be created", path: "\(folder.path)/\(names[index])", error.number)
                }
                return false
            }
        }
        return true
    }

    /// Gives a complete file a name below a folder.
    ///
    /// - Parameter replaces: whether something has that name, whose place it takes.
    /// - Throws: `HostError` with `fileFailed`.
    static func name(_ part: Part, _ name: FileName, in folder: Folder, replaces: Bool) throws {
        let place = try place(of: name, in: folder)
        try failing(folder, name) {
            try replaces ? move(part, to: place) : self.name(part, place)
        }
    }

    /// Where a name lies below a folder; folders that are missing are made.
    private static func place(of name: FileName, in folder: Folder) throws -> Folder.Place {
        let path = "\(folder.path)/\(name)"
        // It could be made, and no program could open it.
        guard path.pathBytes.count < Int(PATH_MAX) else {
            throw HostError.file("cannot be created", path: path, ENAMETOOLONG)
        }
        return try failing(folder, name) { try folder.makePlace(of: name) }
    }

    /// Puts a complete file in the place of another one.
    private static func move(_ part: Part, to place: Folder.Place) throws(SystemError) {
        if part.isNameless { try part.folder.link(part.file, as: part.spare) }
        try part.folder.move(part.spare, to: place.folder, as: place.name)
    }

    /// Gives a file a name that must be free.
    private static func name(_ part: Part, _ place: Folder.Place) throws(SystemError) {
        guard !part.isNameless else { return try place.folder.link(part.file, as: place.name) }
        do {
            try part.folder.link(part.spare, in: place.folder, as: place.name)
        } catch {
            // The file systems of memory cards have no links: there an empty file holds the name.
            guard [EPERM, EOPNOTSUPP, ENOSYS].contains(error.number) else { throw error }
            _ = try place.folder.makeFile(place.name, mode: 0o666)
            do {
                try part.folder.move(part.spare, to: place.folder, as: place.name)
            } catch {
                try? place.folder.removeFile(place.name)
                throw error
            }
        }
    }

    private static func failing<Result>(
        _ folder: Folder, _ name: FileName, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as SystemError {
            throw HostError.file("cannot be created", path: "\(folder.path)/\(name)", error)
        }
    }

    // MARK: - Folders

    /// Makes a folder, if it is missing, and opens it, to write several files into it.
    ///
    /// - Throws: `HostError` with `fileFailed` where nothing can be written into it.
    static func folder(_ path: String) throws -> Folder {
        try FileManager.default.makeFolder(path)
        let folder = try open(path)
        guard folder.isWritable else { throw HostError.file("cannot be written", path: path) }
        return folder
    }

    private static func open(_ path: String) throws -> Folder {
        do {
            return try Folder(writing: path)
        } catch {
            throw HostError.file("cannot be written", path: path, error.number)
        }
    }

    /// Some file systems, encrypting ones for example, take shorter names than others.
    private static func maximumNameLength(in folder: Folder) -> Int {
        guard let limit = folder.maximumNameLength, limit >= 64 else {
            // A name of ours must fit beside it, in any case.
            return SafeFilename.maximumBytes
        }
        return min(limit, SafeFilename.maximumBytes)
    }

    // MARK: - Single files

    /// The folder of a path, opened, and the name in it.
    private static func place(of path: String) throws -> Folder.Place {
        let (folder, name) = path.pathParts
        guard !["", ".", ".."].contains(name) else {
            throw HostError(.fileFailed, "\(path) is a folder, not a file")
        }
        return Folder.Place(folder: try open(folder), name: name)
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
        try make(place(of: path), path, with: source, written: written)
    }

    /// The same in an open folder.
    ///
    /// - Parameter path: for messages.
    static func make(
        _ place: Folder.Place, _ path: String, with source: OutgoingFile,
        written: (Int) -> Void = { _ in }
    ) throws {
        guard try makeIfAbsent(place, path, with: source, written: written) else {
            throw HostError.file("cannot be created", path: path, EEXIST)
        }
    }

    /// Writes all bytes of a file to a path, unless something is there.
    ///
    /// - Returns: whether nothing was.
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`.
    static func makeIfAbsent(_ path: String, with source: OutgoingFile) throws -> Bool {
        try makeIfAbsent(place(of: path), path, with: source) { _ in }
    }

    private static func makeIfAbsent(
        _ place: Folder.Place, _ path: String, with source: OutgoingFile, written: (Int) -> Void
    ) throws -> Bool {
        let part = try copy(source, to: place.folder, written: written)
        defer { remove([part]) }
        do {
            try name(part, place)
        } catch {
            guard error.number == EEXIST else {
                throw HostError.file("cannot be created", path: path, error.number)
            }
            return false
        }
        return true
    }

    /// Writes all bytes of a descriptor to a path; a file that is there is replaced at once, or a link, not what it leads
    /// to.
    ///
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`; so where something else than a file is there.
    static func replace(_ path: String, with bytes: OpenFile) throws {
        try replace(place(of: path), path, with: bytes)
    }

    /// The same in an open folder.
    ///
    /// - Parameter path: for messages.
    static func replace(_ place: Folder.Place, _ path: String, with bytes: OpenFile) throws {
        if let kind = (try? place.status()).map({ FileKind($0) }),
            ![.regularFile, .link].contains(kind)
        {
            throw HostError(
                .fileFailed, "\(path) is \(kind.rawValue) and is not overwritten")
        }
        let part = try copy(OutgoingFile(bytes), to: place.folder)
        defer { remove([part]) }
        do {
            try move(part, to: place)
        } catch {
            throw HostError.file("cannot be created", path: path, error.number)
        }
    }

    private static func copy(
        _ source: OutgoingFile, to folder: Folder, written: (Int) -> Void = { _ in }
    ) throws -> Part {
        let spare = ".edithost-\(UUID().uuidString)"
        let nameless = folder.makeNamelessFile()
        do {
            let file = try nameless ?? folder.makeFile(spare, mode: 0o666)
            var parts = source.parts()
            while let part = try parts.next() {
                try Task.checkCancellation()
                try file.copy(part)
                written(part.count)
            }
            try file.endCopy()
            let status = try file.hostStatus()
            return Part(
                folder: folder, file: file, isNameless: nameless != nil, spare: spare,
                hash: parts.hash, size: Int(status.st_size), modified: status.st_mtim.nanoseconds)
        } catch {
            if nameless == nil { try? folder.removeFile(spare) }
            switch error {
            case let error as SystemError:
                throw HostError.file("cannot be written", path: folder.path, error.number)
            case let error as HostError:
                throw HostError(
                    error.code, "cannot write into \(folder.path): \(error.message)",
                    underlying: error)
            default: throw error
            }
        }
    }
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
        guard !path.isEmpty else { throw HostError(.fileFailed, "the name of the folder is empty") }
        let number = Self.madeFolder(path)
        guard number != 0 else { return }
        throw HostError(
            .fileFailed,
            number == EEXIST
                ? "\(path) is a file, not a folder"
                : "the folder \(path) cannot be created: \(String(cString: strerror(number)))")
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
