// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Library

/// A folder that is exported to, with the record of what earlier exports wrote. Nobody else exports to it meanwhile.
struct ExportFolder: Sendable {
    typealias Entry = ExportRecord.Entry
    typealias Subject = ExportRecord.Subject

    let path: String
    let folder: Folder
    /// What earlier exports wrote, and this one.
    private(set) var record: ExportRecord
    /// Its file, once something was written.
    private var recordFile: OpenFile?
    private let isRecording: Bool

    /// Opens a folder, which is made where there is none, and waits some seconds for who else exports to it.
    ///
    /// - Parameters:
    ///   - isRecording: whether it has a record; without one, no other export is waited for.
    ///   - seal: proves what exports of the library wrote; nil: nothing does.
    /// - Throws: `HostError` with `fileFailed`, `busy`, `badRequest` where it lies in a library, or `badInput` where the record is
    ///   damaged; `CancellationError`.
    init(_ path: String, isRecording: Bool, seal: RecordSeal?) async throws {
        _ = try NewFile.folder(path)
        self.path = path
        self.isRecording = isRecording
        folder = try Self.failing(path) { try Folder(root: path) }
        try PhotoLibrary.requireOutsideLibraries(folder)
        record = ExportRecord(seal: seal)
        guard isRecording else { return }
        try await Self.lock(folder)
        do {
            record = try ExportRecord(folder.file(ExportRecord.filename, O_RDONLY), seal: seal)
        } catch let error as SystemError where error.number == ENOENT {
            return
        } catch let error as SystemError {
            throw HostError(
                .badInput,
                error.misplaced == nil
                    ? "\(recordPath) cannot be read: \(error)"
                    : HostError.file("cannot be read", path: recordPath, error).message,
                underlying: error)
        }
    }

    private static func lock(_ folder: Folder) async throws {
        for _ in 0..<200 {
            do {
                if try folder.lock(exclusively: true, waiting: 0) { return }
            } catch {
                // A file system without locks: there exports must not run side by side.
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw HostError(
            .busy, "another export is writing into \(folder.path); try again later")
    }

    private var recordPath: String { "\(path)/\(ExportRecord.filename)" }

    static func failing<Result>(
        _ path: String, _ words: String = "cannot be read", _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as SystemError {
            throw HostError.file(words, path: path, error)
        }
    }

    // MARK: - Looking

    /// What is there under a name that an earlier export gave.
    enum FileState {
        /// What it wrote.
        case same
        /// What was there before, as the export was interrupted.
        case earlier
        /// Nothing.
        case missing
        /// What was exported of another asset, or in another way, since nothing was there.
        case taken
        /// Something else.
        case foreign
    }

    /// What is there of a file.
    ///
    /// - Parameter reading: whether its bytes are read although its size and date are those that it had, to replace or
    ///   remove it.
    func state(of file: ExportRecord.File, _ entry: Entry, reading: Bool) throws -> FileState {
        try Self.failing("\(path)/\(file.name)") {
            guard record.owns(entry.subject, file.name) else { return .taken }
            let found: Folder.Place?
            do {
                found = try folder.place(of: file.name)
            } catch let error as SystemError where error.misplaced != nil {
                // Something else than a folder lies on its way.
                return .foreign
            }
            guard let place = found, let status = try place.status() else { return .missing }
            guard FileKind(status) == .regularFile, !reading || file.wasThere != true else {
                return .foreign
            }
            let isAsLong = Int(status.st_size) == file.size
            if !reading, isAsLong, status.st_mtim.nanoseconds == file.modified { return .same }
            guard entry.isProven, isAsLong || !entry.earlier.isEmpty else { return .foreign }
            let hash = try OutgoingFile(place.folder.file(place.name, O_RDONLY)).hash()
            return hash == file.hash ? .same : entry.earlier.contains(hash) ? .earlier : .foreign
        }
    }

    /// Why an asset has to be written, or has not.
    func reason(
        for subject: Subject, _ key: ExportRecord.Key, _ overwriting: ExportOptions.Overwriting
    ) throws -> ExportReason {
        guard let entry = record.entry(of: subject) else { return .new }
        let states = try entry.files.map { try state(of: $0, entry, reading: false) }
        let isThere = states.map { $0 != .missing && $0 != .taken }
        if isThere.contains(false) {
            // The files of an asset belong together.
            let isAllowed = overwriting != .never || !isThere.contains(true) || entry.key == key
            return isAllowed ? .missing : .kept
        }
        if overwriting == .never {
            if states.contains(.earlier) || entry.key != key { return .kept }
            return states.contains(.foreign) ? .foreign : .unchanged
        }
        if states.contains(.earlier) { return .interrupted }
        // First, because a picture that is drawn depends on extensions, and one that is copied does not.
        if entry.key.settings != key.settings { return .settings }
        if entry.key.content != key.content { return .content }
        if entry.key.metadata != key.metadata { return .metadata }
        if overwriting == .always { return .always }
        return states.contains(.foreign) ? .foreign : .unchanged
    }

    /// The paths of what earlier exports wrote of an asset.
    func paths(of subject: Subject) -> [String] {
        paths(of: (record.entry(of: subject)?.files ?? []).map(\.name))
    }

    /// The paths of files of this folder.
    func paths(of names: [FileName]) -> [String] { names.map { "\(path)/\($0)" } }

    // MARK: - Writing

    /// What became of the files of an asset, as paths.
    struct Written {
        let paths: [String]
        /// What an earlier export wrote under other names, and is gone.
        let removed: [String]
        /// What an earlier export wrote under other names, and stays until a `prune`.
        let left: [String]
        /// What was to be replaced, and is not what was written any more.
        let kept: [String]
        /// What was to be replaced, and was there before any export wrote it.
        let others: [String]
        /// What was to be replaced, and is not known to be from an export.
        let unproven: [String]
        /// Whether nothing was written, since all of it was there.
        let wasThere: Bool
    }

    /// Writes the files of an asset, in the place of those that an earlier export wrote.
    ///
    /// - Parameter prunes: whether what an earlier export wrote under other names is removed. Without it only that of
    ///   an asset whose first file keeps its name, since its files are replaced together.
    /// - Throws: as `NewFile.write`.
    mutating func write(
        _ files: [NewFile.Named], of subject: Subject, _ key: ExportRecord.Key, prunes: Bool
    ) throws -> Written {
        let written = try NewFile.prepare(files, in: folder)
        var parts = written
        defer { NewFile.remove(parts) }
        let old = record.entry(of: subject)
        let states = try (old?.files ?? []).map { file in
            try old.map { try state(of: file, $0, reading: true) } ?? .foreign
        }
        // What an entry says that proves nothing must not get into one that does.
        let proven = old.flatMap { $0.isProven ? $0 : nil }
        let leaving = try (proven?.leaving ?? []).filter { file in
            try proven.map { try state(of: file, $0, reading: true) } == .same
        }
        // Of what was there still earlier only what an interrupted export left.
        let earlier =
            (proven?.files.filter { $0.wasThere != true }.map(\.hash) ?? [])
            + (states.contains(.earlier) ? proven?.earlier ?? [] : [])
            + leaving.map(\.hash)
        let before = (proven?.files ?? []) + (proven?.leaving ?? [])
        var found: [FileName: ExportRecord.File] = [:]
        func entry(_ number: Int, _ names: [FileName]) -> Entry {
            Entry(
                subject: subject, key: key, number: number,
                files: zip(names, written).map {
                    found[$0]
                        ?? .init(name: $0, hash: $1.hash, size: $1.size, modified: $1.modified)
                }, earlier: earlier,
                leaving: before.filter { !names.contains($0.name) })
        }
        let isOwn = !states.contains(.foreign) && !states.contains(.taken)
        let names: [FileName]
        if let old, isOwn, old.number == 0 || files.allSatisfy(\.name.isNumbered),
            NewFile.names(of: files, number: old.number, in: folder) == old.files.map(\.name)
        {
            names = old.files.map(\.name)
            try take(entry(old.number, names))
            for (index, name) in names.enumerated() {
                try NewFile.name(
                    parts[index], name, in: folder, replaces: states[index] != .missing)
            }
        } else {
            // Its own files do not stand in its way, nor those of names that it had before.
            let own =
                zip(old?.files ?? [], states)
                .filter { $1 == .same || $1 == .earlier }.map(\.0.name) + leaving.map(\.name)
            let isRecording = isRecording
            names = try NewFile.name(
                &parts, of: files, in: folder, replacing: Set(own),
                advice: old != nil && proven == nil ? Self.unprovenAdvice : nil,
                isThere: { index, name in
                    guard isRecording else { return false }
                    found[name] = find(name, written[index], for: subject)
                    return found[name] != nil
                }
            ) { try take(entry($0, $1)) }
        }
        var parting = Parting()
        if let new = record.entry(of: subject), !new.leaving.isEmpty {
            let isInPlace = proven?.files.first?.name == names.first
            parting = try part(
                from: new.leaving, of: new, replaced: proven?.files ?? [],
                removing: prunes || isInPlace, pruning: prunes, keeping: names)
            try take(new.done(leaving: parting.staying))
        }
        let unproven = proven == nil ? zip(old?.files ?? [], states).filter { $1 == .foreign } : []
        return Written(
            paths: paths(of: names), removed: paths(of: parting.removed),
            left: paths(of: parting.left), kept: paths(of: parting.kept),
            others: paths(of: parting.others),
            unproven: paths(of: unproven.map(\.0.name).filter { !names.contains($0) }),
            wasThere: names.allSatisfy { found[$0] != nil })
    }

    /// What to do about files of an export that this library cannot prove to be its own.
    private static let unprovenAdvice =
        "it was exported by an earlier version of edithost or another library; move it away, or export into another folder"

    // MARK: - The record

    /// Appends the last word on an asset to the record.
    mutating func take(_ entry: Entry) throws {
        guard isRecording else { return }
        let file = try recordFile ?? openRecord()
        recordFile = file
        let line = try record.line(entry)
        do {
            try file.append(line)
        } catch {
            // Half a line is cut off before the next.
            recordFile = nil
            throw error
        }
        record.append(entry, line.count)
    }

    private mutating func openRecord() throws -> OpenFile {
        if record.length == 0 {
            var new = record
            // Never empty, so that one that is has been damaged.
            try NewFile.make(
                recordPlace, recordPath,
                with: OutgoingFile(.memory("record", holding: try new.newHeader())))
            record = new
        } else if record.folderName == nil {
            try shorten()
        }
        return try Self.failing(recordPath) {
            let file = try folder.file(ExportRecord.filename, O_WRONLY | O_APPEND)
            guard ftruncate(file.descriptor, off_t(record.length)) == 0 else {
                throw SystemError("ftruncate")
            }
            return file
        }
    }

    private var recordPlace: Folder.Place {
        Folder.Place(folder: folder, name: ExportRecord.filename)
    }

    /// Makes the record short again where most of it has been replaced.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    mutating func end() throws {
        guard recordFile != nil, record.isMostlyReplaced else { return }
        recordFile = nil
        try shorten()
    }

    private mutating func shorten() throws {
        let file = try Self.failing(recordPath) {
            try folder.file(ExportRecord.filename, O_RDONLY)
        }
        let (new, copy) = try record.shortened(file)
        try NewFile.replace(recordPlace, recordPath, with: copy)
        record = new
    }
}
