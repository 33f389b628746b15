// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc
import RunnerHost

extension NewFile {
    /// The maximum number of numbers tried in the search for a free name.
    private static let maximumNumber = 100_000
    /// The maximum number of times that another process may take a free name first.
    private static let maximumRaces = 100

    /// Writes files under new names. If a name is taken, all of them get the same suffix: `-1`, `-2` and so on.
    /// The names appear only when all files are complete and have the expected bytes.
    ///
    /// - Returns: The paths of the new files.
    /// - Throws: `HostError` with `fileFailed`; `LibraryError` if the bytes are not
    ///   the expected ones; `CancellationError`. In that case, no file is left.
    static func write(_ files: [Named], in folder: Folder) throws -> [String] {
        var parts = try prepare(files, in: folder)
        defer { remove(parts) }
        return try name(&parts, of: files, in: folder) { _, _ in }.map { "\(folder.path)/\($0)" }
    }

    /// Returns the names of files with a number, relative to a folder. If two files have the same name, or names that
    /// differ only in case, the second one gets the next number.
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

    /// Whether the names with a number can be given.
    enum Availability {
        /// They can. The names of identical files, which are kept, count as given.
        case free(Set<FileName>)
        /// This name is taken.
        case taken(FileName)
    }

    /// Returns the first number whose names are free, the names, and those of identical files.
    ///
    /// - Parameters:
    ///   - path: The path of the folder in messages.
    ///   - first: The first number to try.
    ///   - advice: Returns advice for the error if a name without a number is taken.
    ///   - test: Returns whether names are free.
    /// - Throws: `HostError` with `fileFailed`; errors of `test`.
    static func firstFree(
        of files: [Named], in folder: Folder, at path: String, from first: Int,
        advice: (FileName) -> String?, _ test: ([FileName]) throws -> Availability
    ) throws -> (number: Int, names: [FileName], found: Set<FileName>) {
        let isNumbered = files.allSatisfy(\.name.isNumbered)
        for number in min(first, maximumNumber)..<maximumNumber {
            try Task.checkCancellation()
            let names = names(of: files, number: number, in: folder)
            let availability = try test(names)
            if case .taken(let name) = availability, !isNumbered {
                throw taken(name, in: path, advice(name))
            }
            guard case .free(let found) = availability else { continue }
            return (number, names, found)
        }
        throw HostError(
            .fileFailed,
            "no free name for \(names(of: files, number: 0, in: folder).first?.text ?? "a file") in "
                + path)
    }

    private static func taken(_ name: FileName, in folder: String, _ advice: String?) -> HostError {
        HostError(
            .fileFailed,
            "\(folder)/\(name) already exists; "
                + (advice ?? "end the template with {sequence} to number the files"))
    }

    /// Gives complete files the first free names with the same number.
    ///
    /// - Parameters:
    ///   - first: The first number to try; 0 if the names cannot be numbered.
    ///   - replaced: Names of files that are replaced.
    ///   - advice: Returns advice for the error if a name without a number is taken; if nil, the template numbers the
    ///     files.
    ///   - isIdentical: Returns whether the existing file of a name equals the file with that index. It is then kept, and
    ///     the name counts as given.
    ///   - willName: Called with the number and the names before they are given.
    /// - Returns: The names.
    /// - Throws: `HostError` with `fileFailed`; any error of `willName`. No file has a name then, except those that
    ///   replaced a file of `replaced`.
    static func name(
        _ parts: inout [Part], of files: [Named], in folder: Folder, from first: Int = 0,
        replacing replaced: Set<FileName> = [], advice: (FileName) -> String? = { _ in nil },
        isIdentical: (Int, FileName) -> Bool = { _, _ in false },
        willName: (Int, [FileName]) throws -> Void
    ) throws -> [FileName] {
        var races = 0
        for number in min(first, maximumNumber)..<maximumNumber where races < maximumRaces {
            try Task.checkCancellation()
            let names = names(of: files, number: number, in: folder)
            let places = try names.map { try place(of: $0, in: folder) }
            var fresh = names.indices.filter { !replaced.contains(names[$0]) }
            let present = try fresh.filter { index in
                try failing(folder, names[index]) { try places[index].status() } != nil
            }
            let taken = present.first { !isIdentical($0, names[$0]) }
            fresh.removeAll(where: present.contains)
            guard taken == nil && number == 0 || files.allSatisfy(\.name.isNumbered) else {
                let name = names[taken ?? 0]
                throw Self.taken(name, in: folder.path, advice(name))
            }
            if taken != nil { continue }
            try willName(number, names)
            if try give(fresh, of: parts, names, places, in: folder) {
                for index in names.indices where replaced.contains(names[index]) {
                    try failing(folder, names[index]) {
                        try parts[index].file.move(to: places[index])
                    }
                }
                return names
            }
            races += 1
            // Without hard links, the part itself became the file. A part that lost its only name cannot get another,
            // so it is rewritten.
            for index in fresh where parts[index].file.isSpent {
                let file = files[index]
                parts[index] = try copy(
                    file.source, to: folder, modified: file.modificationDate)
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
    /// - Returns: `false` if another process took one of the names. In that case, none of the files has its name.
    /// - Throws: `HostError` with `fileFailed`; in that case, none of the files has its name.
    private static func give(
        _ indices: [Int], of parts: [Part], _ names: [FileName], _ places: [Folder.Place],
        in folder: Folder
    ) throws -> Bool {
        var made: [Int] = []
        for index in indices {
            do {
                try parts[index].file.name(places[index])
                made.append(index)
            } catch {
                for index in made { try? places[index].folder.removeFile(places[index].name) }
                guard error.number == EEXIST else {
                    throw HostError.output(
                        "cannot be created", path: "\(folder.path)/\(names[index])", error.number)
                }
                return false
            }
        }
        return true
    }

    /// Gives a complete file a name relative to a folder.
    ///
    /// - Parameter replaces: Whether an existing file of that name is replaced.
    /// - Throws: `HostError` with `fileFailed`.
    static func name(_ part: Part, _ name: FileName, in folder: Folder, replaces: Bool) throws {
        let place = try place(of: name, in: folder)
        try failing(folder, name) {
            try replaces ? part.file.move(to: place) : part.file.name(place)
        }
    }

    /// Returns the place of a name relative to a folder. Creates missing folders.
    private static func place(of name: FileName, in folder: Folder) throws -> Folder.Place {
        let path = "\(folder.path)/\(name)"
        // A longer path could be created relative to a descriptor, but no program could open the file by it.
        guard path.pathBytes.count < Int(PATH_MAX) else {
            throw HostError.output("cannot be created", path: path, ENAMETOOLONG)
        }
        return try failing(folder, name) { try folder.makePlace(of: name) }
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

    /// Returns the maximum length of a name in bytes. Some file systems, for example encrypting ones, allow fewer than
    /// 255.
    private static func maximumNameLength(in folder: Folder) -> Int {
        guard let limit = folder.maximumNameLength, limit >= 64 else {
            // A temporary name must fit in any case.
            return SafeFilename.maximumBytes
        }
        return min(limit, SafeFilename.maximumBytes)
    }
}
