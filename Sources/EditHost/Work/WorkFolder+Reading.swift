// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Hashing
import RunnerHost

extension WorkFolder {
    /// Reads the plan.
    ///
    /// - Parameter expected: The hash that the file must have; `nil` on the machine of the library, which compares
    ///   each result with the library instead.
    /// - Returns: The plan, and the hash of its file.
    /// - Throws: `HostError` with `badInput` if it is missing, damaged, of a newer version or another plan.
    package func plan(expecting expected: SHA256Digest?) throws -> (plan: WorkPlan, hash: WorkHash)
    {
        let place = "\(path)/\(WorkName.plan)"
        guard let data = try content(of: WorkName.plan, in: root, Self.planLimits) else {
            throw HostError(
                .badInput,
                "\(place) does not exist or is not a file of a plan; run edithost work plan")
        }
        let hash = WorkHash(of: data)
        guard expected == nil || expected == hash.digest else {
            throw HostError(
                .badInput,
                "\(place) is another plan: its SHA-256 is \(hash), not \(expected?.hex ?? "")")
        }
        guard Self.planLimits.excess(of: data) == nil else { throw damaged("it is too large") }
        let decoder = JSONDecoder()
        if let version = try? decoder.decode(Version.self, from: data).work,
            version > WorkPlan.currentVersion
        {
            throw HostError(.badInput, NewerFormat.message(place, version: version))
        }
        guard let plan = try? decoder.decode(WorkPlan.self, from: data), plan.work == 1 else {
            throw damaged("it is not a plan")
        }
        if let defect = plan.defect { throw damaged(defect) }
        return (plan, hash)
    }

    private struct Version: Decodable { let work: Int }

    private func damaged(_ reason: String) -> HostError {
        HostError(.badInput, "\(path)/\(WorkName.plan) is damaged: \(reason); make a new plan")
    }

    /// Returns the jobs of a shard, after checking the hash of its file.
    ///
    /// - Throws: `HostError` with `badInput` if the shard is missing or is not the planned one; `fileFailed`.
    package func jobs(ofShard number: Int, in plan: WorkPlan) throws -> WorkJobReader {
        guard plan.shards.indices.contains(number) else {
            throw HostError(
                .badRequest, "the plan has no shard \(number); the last is \(plan.shards.count - 1)"
            )
        }
        let name = WorkName.jobFile(number)
        let place = "\(path)/\(WorkName.jobs)/\(name)"
        guard let folder = try folder(WorkName.jobs), let file = try open(name, in: folder) else {
            throw HostError(.badInput, "\(place) is missing; make a new plan")
        }
        // The file can change while it is read, so a private copy is hashed and read.
        let copy = try failing("cannot be created", "a temporary file") { try OpenFile.unnamed() }
        let hash = try Self.copy(file, to: copy, atMost: Self.maximumShardSize)
        guard hash == plan.shards[number].sha256.digest else {
            throw HostError(
                .badInput, "\(place) is not the planned one: its SHA-256 differs; make a new plan")
        }
        return WorkJobReader(copy, shard: number)
    }

    /// Copies bytes and returns their hash; `nil` if there are too many.
    static func copy(_ file: OpenFile, to copy: OpenFile, atMost limit: Int) throws -> SHA256Digest?
    {
        var (hasher, offset) = (SHA256(), 0)
        while true {
            let part = try file.read(count: 1 << 20, at: offset)
            if part.isEmpty { return SHA256Digest(bytes: hasher.finalize()) }
            offset += part.count
            guard offset <= limit else { return nil }
            hasher.update(data: part)
            try copy.append(part)
        }
    }

    // MARK: - Results

    /// The numbers of the shards that have results, in order.
    package func shardsWithResults() throws -> [Int] {
        guard let results = try folder(WorkName.results) else { return [] }
        return try entries(of: results).compactMap { entry in
            guard entry.kind == .folder, let number = Int(entry.name),
                (0..<WorkPlan.maximumShardCount).contains(number),
                WorkName.shard(number) == entry.name
            else { return nil }
            return number
        }
    }

    /// The names of the attempts at a shard, sorted.
    package func attempts(atShard number: Int) throws -> [String] {
        guard let shard = try folder(WorkName.results, WorkName.shard(number)) else { return [] }
        return try entries(of: shard, atMost: Self.maximumAttemptCount)
            .filter { $0.kind == .folder && WorkName.isAttempt($0.name) }.map(\.name)
    }

    /// The outcomes of an attempt, in the order in which it wrote them. Invalid lines are ignored and counted.
    ///
    /// - Parameter number: The number of the first file to read; an attempt writes files with rising numbers.
    /// - Returns: The outcomes, the number of invalid lines, and the number of the next file.
    package func outcomes(
        ofShard shard: Int, attempt: String, from number: Int = 0
    ) throws -> (outcomes: [WorkOutcome], invalid: Int, next: Int) {
        var room = Int.max
        return try outcomes(ofShard: shard, attempt: attempt, from: number, room: &room)
    }

    /// Returns the next outcomes of an attempt, as many as fit into the remaining room.
    ///
    /// - Parameter room: The number of bytes that may be read. The size of each file is subtracted, and no further file
    ///   is read when none are left.
    package func outcomes(
        ofShard shard: Int, attempt: String, from number: Int, room: inout Int
    ) throws -> (outcomes: [WorkOutcome], invalid: Int, next: Int) {
        guard WorkName.isAttempt(attempt),
            let folder = try folder(WorkName.results, WorkName.shard(shard), attempt)
        else { return ([], 0, number) }
        return try lines(of: folder, from: number, room: &room) { (outcome: WorkOutcome) in
            outcome.isSound
        }
    }

    /// Returns the outcomes of committing the results of a shard, in the order in which they were written.
    package func commitments(
        ofShard shard: Int, from number: Int = 0
    ) throws -> (commitments: [WorkCommitment], invalid: Int, next: Int) {
        var room = Int.max
        return try commitments(ofShard: shard, from: number, room: &room)
    }

    /// Returns the next outcomes of committing the results of a shard, as many as fit into the remaining room.
    ///
    /// - Parameter toGap: Whether to read only up to the first missing number, which the next commit uses.
    package func commitments(
        ofShard shard: Int, from number: Int, toGap: Bool = false, room: inout Int
    ) throws -> (commitments: [WorkCommitment], invalid: Int, next: Int) {
        guard let folder = try folder(WorkName.results, WorkName.shard(shard), WorkName.committed)
        else { return ([], 0, number) }
        return try lines(of: folder, from: number, toGap: toGap, room: &room) {
            (line: WorkCommitment) in line.isSound
        }
    }

    /// Reads the first lines of an attempt; `nil` if the file is missing or invalid.
    package func attempt(_ name: String, atShard shard: Int) throws -> WorkAttempt? {
        try note(WorkAttempt.filename, ofShard: shard, attempt: name) { $0.isSound }
    }

    /// Returns how an attempt ended; `nil` if it is running or has died.
    package func end(ofAttempt name: String, atShard shard: Int) throws -> WorkAttemptEnd? {
        try note(WorkAttemptEnd.filename, ofShard: shard, attempt: name) { $0.isSound }
    }

    /// Returns the jobs that an attempt began last; empty if it records none.
    package func jobsInFlight(ofAttempt name: String, atShard shard: Int) throws -> [Int] {
        guard WorkName.isAttempt(name),
            let folder = try folder(WorkName.results, WorkName.shard(shard), name),
            let last = try entries(of: folder).compactMap({ WorkName.number(ofFlightFile: $0.name) }
            )
            .max()
        else { return [] }
        let note: WorkInFlight? = try note(
            WorkName.flightFile(last), ofShard: shard, attempt: name
        ) { $0.isSound }
        return note?.jobs ?? []
    }

    // MARK: - Files

    /// Opens a file for reading; `nil` if it is missing or is not a regular file.
    package func open(_ name: String, in folder: Folder) throws -> OpenFile? {
        do {
            return try folder.file(name, O_RDONLY)
        } catch {
            if error.number == ENOENT || error.misplaced != nil { return nil }
            throw HostError.file("cannot be opened", path: "\(folder.path)/\(name)", error)
        }
    }

    /// The entries of a folder.
    ///
    /// - Throws: `HostError` with `fileFailed`, including if there are more than a number.
    func entries(
        of folder: Folder, atMost limit: Int = maximumEntryCount
    ) throws -> [Folder.Entry] {
        let entries = try failing("cannot be listed", folder.path) {
            try folder.entries(atMost: limit)
        }
        guard let entries else {
            throw HostError(
                .fileFailed,
                "\(folder.path) has more than \(limit) entries; remove what no shard wrote")
        }
        return entries
    }

    private func content(
        of name: String, in folder: Folder, _ limits: JSONLimits
    ) throws -> Data? {
        guard let file = try open(name, in: folder), try file.byteCount() <= limits.bytes else {
            return nil
        }
        return try limits.content(of: file)
    }

    private func note<Note: Decodable>(
        _ file: String, ofShard shard: Int, attempt: String, _ isSound: (Note) -> Bool
    ) throws -> Note? {
        guard WorkName.isAttempt(attempt),
            let folder = try folder(WorkName.results, WorkName.shard(shard), attempt),
            let data = try content(of: file, in: folder, Self.noteLimits),
            Self.noteLimits.excess(of: data) == nil,
            let note = try? JSONDecoder().decode(Note.self, from: data), isSound(note)
        else { return nil }
        return note
    }

    /// Reads the numbered files of a folder, as many as fit into the remaining room.
    ///
    /// If the last file does not end with a newline, it may still be being written, and is read later. The last file of
    /// an attempt that has ended is always read.
    private func lines<Line: Decodable>(
        of folder: Folder, from number: Int, toGap: Bool = false, room: inout Int,
        _ isSound: (Line) -> Bool
    ) throws -> ([Line], invalid: Int, next: Int) {
        var (found, invalid, next) = ([Line](), 0, number)
        // For a process that writes records, any entry with the name of a number takes that number.
        let files = try entries(of: folder).filter { toGap || $0.kind == .regularFile }
        let isFinal = files.contains { $0.name == WorkAttemptEnd.filename }
        let numbers =
            files
            .compactMap { WorkName.number(ofLineFile: $0.name) }.filter { $0 >= number }.sorted()
        for number in numbers {
            guard room > 0, !toGap || number == next else { break }
            let before = room
            let read = try lines(of: WorkName.lineFile(number), in: folder, &room, isSound)
            if !read.isWhole, number == numbers.last, !isFinal {
                room = before
                break
            }
            found += read.found
            invalid += read.invalid
            next = number + 1
        }
        return (found, invalid, next)
    }

    private func lines<Line: Decodable>(
        of name: String, in folder: Folder, _ room: inout Int, _ isSound: (Line) -> Bool
    ) throws -> (found: [Line], invalid: Int, isWhole: Bool) {
        guard let file = try open(name, in: folder) else { return ([], 1, true) }
        let size = try file.byteCount()
        guard size <= Self.maximumResultsSize else { return ([], 1, true) }
        room -= size
        var (found, invalid, end) = ([Line](), 0, 0)
        var lines = LineReader(file, maximumLength: Self.outcomeLimits.bytes)
        do {
            while let line = try lines.next(), line.place.upperBound <= Self.maximumResultsSize {
                end = line.place.upperBound
                if Self.outcomeLimits.excess(of: line.bytes) == nil,
                    let value = try? JSONDecoder().decode(Line.self, from: line.bytes),
                    isSound(value)
                {
                    found.append(value)
                } else {
                    invalid += 1
                }
            }
        } catch is LineReader.TooLong {
            return (found, invalid + 1, true)
        }
        return (found, invalid, end > 0 && end >= size)
    }
}
