// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Library
import RunnerHost

/// An export folder with its record of earlier exports, locked against other exports.
struct ExportFolder: Sendable {
    typealias Entry = ExportRecord.Entry
    typealias Subject = ExportRecord.Subject

    let path: String
    let folder: Folder
    /// The record of earlier exports and of this one.
    private(set) var record: ExportRecord
    /// The file of the record, opened for appending at the first entry.
    private var recordFile: OpenFile?
    /// Whether the folder has a record.
    let isRecording: Bool
    /// Whether an existing file counts as written if it has the bytes that would be written.
    let keepsIdenticalFiles: Bool
    /// What a dry run would have changed so far; nil if files are written.
    var dryRun: ExportDryRun?
    /// The first number that this export has not given, by the names with the number 1.
    var nextNumbers: [FileName: Int] = [:]

    /// Opens an export folder, which is created if it is missing. Waits up to 10 seconds for other exports. A dry run
    /// neither creates it nor waits.
    ///
    /// - Parameters:
    ///   - options: They determine whether the folder has a record. If not, it is not locked.
    ///   - seal: Proves entries of the library; if nil, no entry is proven.
    /// - Throws: `HostError` with `fileFailed`, `busy`, `badRequest` if it is inside a library, or `badInput`
    ///   if the record is damaged; `CancellationError`.
    init(_ path: String, _ options: ExportOptions, seal: RecordSeal?) async throws {
        self.path = path
        isRecording = options.keepsRecord
        keepsIdenticalFiles = options.keepsRecord || options.keepsIdenticalFiles
        if options.isDryRun {
            let dryRun = try ExportDryRun(path)
            (folder, self.dryRun) = (dryRun.folder, dryRun)
        } else {
            _ = try NewFile.folder(path)
            folder = try Self.failing(path) { try Folder(root: path) }
        }
        try PhotoLibrary.requireOutsideLibraries(folder)
        record = ExportRecord(seal: seal)
        guard isRecording else { return }
        if dryRun == nil { try await Self.lock(folder) }
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
                // The file system has no locks. Exports must not run concurrently there.
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

    // MARK: - Reasons

    /// Returns the reason why an asset has to be written, or is skipped.
    func reason(
        for subject: Subject, _ key: ExportRecord.Key, _ overwriting: ExportOptions.Overwriting
    ) throws -> ExportReason {
        guard let entry = record.entry(of: subject) else { return .new }
        let states = try entry.files.map { try state(of: $0, entry, reading: false) }
        let arePresent = states.map { $0 != .missing && $0 != .taken }
        if arePresent.contains(false) {
            // The files of an asset are replaced together or not at all.
            let isAllowed = overwriting != .never || !arePresent.contains(true) || entry.key == key
            return isAllowed ? .missing : .kept
        }
        if overwriting == .never {
            if states.contains(.earlier) || entry.key != key { return .kept }
            return states.contains(.foreign) ? .foreign : .unchanged
        }
        if states.contains(.earlier) { return .interrupted }
        // Settings come first: they decide whether a picture is rendered, and only then does it depend on
        // extensions.
        if entry.key.settings != key.settings { return .settings }
        if entry.key.content != key.content { return .content }
        if entry.key.metadata != key.metadata { return .metadata }
        if overwriting == .always { return .always }
        return states.contains(.foreign) ? .foreign : .unchanged
    }

    /// The paths of the exported files of an asset.
    func paths(of subject: Subject) -> [String] {
        paths(of: (record.entry(of: subject)?.files ?? []).map(\.name))
    }

    /// The paths of names in this folder.
    func paths(of names: [FileName]) -> [String] { names.map { "\(path)/\($0)" } }

    // MARK: - Writing

    /// The paths of an asset's files after an export.
    struct Written {
        let paths: [String]
        /// Removed files of an earlier export under other names.
        let removed: [String]
        /// Files of an earlier export under other names, kept until a `prune`.
        let left: [String]
        /// Files to be replaced that were kept because they were modified.
        let kept: [String]
        /// Files to be replaced that were kept because a file exported with them was modified.
        let beside: [String]
        /// Files to be replaced that were kept because they existed before any export.
        let others: [String]
        /// Files to be replaced that were kept because no proof shows that an export wrote them.
        let unproven: [String]
        /// Whether nothing was written, because identical files existed.
        let wasThere: Bool
    }

    /// Returns the differences if the picture of an asset was only rendered again since the last export; nil otherwise.
    func rerendering(of subject: Subject, _ renderedVersion: ExportRecord.RenderedVersion?)
        -> String?
    {
        // Text of an unproven entry must not be printed.
        guard let entry = record.entry(of: subject), entry.isProven, let old = entry.renderedVersion
        else { return nil }
        return renderedVersion?.rerendering(from: old)
    }

    /// Writes the files of an asset, replacing those of an earlier export.
    ///
    /// - Parameters:
    ///   - renderedVersion: The picture of the current version, for the record.
    ///   - prunes: Whether to remove files of an earlier export under other names. If false, they are removed only if
    ///     the asset's first file keeps its name, since its files are replaced together.
    /// - Throws: The errors of `NewFile.write`.
    mutating func write(
        _ files: [NewFile.Named], of subject: Subject, _ key: ExportRecord.Key,
        _ renderedVersion: ExportRecord.RenderedVersion? = nil, prunes: Bool
    ) throws -> Written {
        guard dryRun == nil else {
            return try foresee(files, of: subject, key, renderedVersion, prunes: prunes)
        }
        let written = try NewFile.prepare(files, in: folder)
        var parts = written
        defer { NewFile.remove(parts) }
        let earlier = try EarlierExport(of: subject, in: self)
        var found: [FileName: ExportRecord.File] = [:]
        func entry(_ number: Int, _ names: [FileName]) -> Entry {
            earlier.entry(
                replacedBy: zip(names, written).map {
                    found[$0]
                        ?? .init(name: $0, hash: $1.hash, size: $1.size, modified: $1.modified)
                }, number: number, of: subject, key, renderedVersion)
        }
        let names: [FileName]
        if let old = earlier.keptEntry(for: files, in: folder) {
            names = old.files.map(\.name)
            try take(entry(old.number, names))
            for (index, name) in names.enumerated() {
                try NewFile.name(
                    parts[index], name, in: folder, replaces: earlier.states[index] != .missing)
            }
        } else {
            let keepsIdenticalFiles = keepsIdenticalFiles
            var given = firstNumber(for: files, earlier)
            names = try NewFile.name(
                &parts, of: files, in: folder, from: given, replacing: earlier.ownNames,
                advice: { earlier.advice(for: $0) },
                isIdentical: { index, name in
                    guard keepsIdenticalFiles else { return false }
                    let part = written[index]
                    found[name] = find(name, part.hash, part.size, for: subject)
                    return found[name] != nil
                }
            ) {
                given = $0
                try take(entry($0, $1))
            }
            give(given, to: files)
        }
        return try conclude(
            names, of: subject, earlier, wasThere: names.allSatisfy { found[$0] != nil },
            prunes: prunes)
    }

    /// Removes or keeps the files that an asset had under other names.
    mutating func conclude(
        _ names: [FileName], of subject: Subject, _ earlier: EarlierExport, wasThere: Bool,
        prunes: Bool
    ) throws -> Written {
        var parting = Parting()
        if let new = record.entry(of: subject), !new.leaving.isEmpty {
            let isInPlace = earlier.proven?.files.first?.name == names.first
            parting = try part(
                from: new.leaving, of: new, replaced: earlier.proven?.files ?? [],
                removing: prunes || isInPlace, pruning: prunes, keeping: names)
            try take(new.done(leaving: parting.staying))
        }
        return Written(
            paths: paths(of: names), removed: paths(of: parting.removed),
            left: paths(of: parting.left), kept: paths(of: parting.kept),
            beside: paths(of: parting.beside), others: paths(of: parting.others),
            unproven: paths(of: earlier.unprovenNames.filter { !names.contains($0) }),
            wasThere: wasThere)
    }

    // MARK: - The record

    /// Appends an entry to the record, which replaces the earlier one of its subject.
    mutating func take(_ entry: Entry) throws {
        guard isRecording else { return }
        guard dryRun == nil else { return record.append(entry, 0) }
        let file = try recordFile ?? openRecord()
        recordFile = file
        let line = try record.line(entry)
        do {
            try file.append(line)
        } catch {
            // Reopening the file truncates the partial line.
            recordFile = nil
            throw error
        }
        record.append(entry, line.count)
    }

    private mutating func openRecord() throws -> OpenFile {
        if record.length == 0 {
            var new = record
            // The file is created together with its header, so an empty record is damaged.
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

    /// Compacts the record if most of its lines have been replaced.
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
