// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation

/// The record of the files that exports wrote into a folder, from which later exports find what changed.
///
/// It is a file of lines in the folder itself. Each line lists the files of an asset, and the last line of an
/// asset takes precedence. A line is appended before the files are renamed, so an interrupted export leaves an
/// accurate record.
///
/// The file is untrusted, as anyone with write access to the folder can change it. It is read line by line,
/// within limits, and names that lead outside the folder are rejected. Files are replaced or removed only for
/// lines that prove that an export of the library wrote them (see ``RecordSeal``).
struct ExportRecord: Sendable {
    static let filename = ".edithost-export.jsonl"
    /// The version of the format. Version 1 had no proofs and no folder name.
    private static let version = 2
    private static let maximumBytes = 256 << 20
    /// The limits of a line, which is parsed as a whole.
    private static let limits = JSONLimits(bytes: 1 << 20, values: 100_000, depth: 8)

    /// An entry and the byte range of its line.
    private struct Stored {
        let entry: Entry
        let place: Range<Int>
    }

    private var stored: [Subject: Stored] = [:]
    /// The subject that used each name last.
    private var owners: [FileName: Subject] = [:]
    /// The proofs of the library's lines; if nil, no line is proven.
    private let seal: RecordSeal?
    /// The random name of the folder in the record; nil if it has none yet. Lines copied from the record of
    /// another folder are not proven.
    private(set) var folderName: String?
    /// The number of lines in the file that later lines replaced.
    private var replacedCount = 0
    /// The length of the complete lines, in bytes. An interrupted export may have left a partial line after
    /// them.
    private(set) var length = 0

    /// Creates an empty record.
    init(seal: RecordSeal?) { self.seal = seal }

    /// Reads a record from a file.
    ///
    /// - Throws: `HostError` with `badInput` if the record is damaged, too long or of a newer version.
    init(_ file: OpenFile, seal: RecordSeal?) throws {
        self.init(seal: seal)
        guard try file.byteCount() <= Self.maximumBytes else {
            throw Self.damage(file.path, "it is longer than \(Self.maximumBytes >> 20) MiB")
        }
        // The file is created together with its first line.
        guard try file.byteCount() > 0 else { throw Self.damage(file.path, "it is empty") }
        var lines = LineReader(file, maximumLength: Self.limits.bytes)
        do {
            guard let first = try lines.next() else { throw Self.noHeader(file.path) }
            try take(header: first, of: file)
            while let line = try lines.next() {
                // The file may grow while it is read.
                guard line.place.upperBound <= Self.maximumBytes else { break }
                length = line.place.upperBound
                guard !line.bytes.isEmpty else { continue }
                guard let entry = entry(line.bytes) else {
                    throw Self.damage(file.path, "line \(line.number) is not an entry")
                }
                take(entry, line.place)
            }
        } catch let error as LineReader.TooLong {
            throw Self.damage(
                file.path,
                "line \(error.number) is longer than \(Self.limits.bytes >> 20) MiB")
        }
    }

    private mutating func take(header line: LineReader.Line, of file: OpenFile) throws {
        guard Self.limits.excess(of: line.bytes) == nil,
            let header = try? JSONDecoder().decode(Header.self, from: line.bytes)
        else { throw Self.noHeader(file.path) }
        guard header.export <= Self.version else {
            throw HostError(
                .badInput, NewerFormat.message(file.path, version: header.export))
        }
        if header.export == Self.version {
            guard let name = header.folder, (1...64).contains(name.utf8.count),
                !name.utf8.contains(UInt8(ascii: "\n"))
            else { throw Self.noHeader(file.path) }
            folderName = name
        }
        length = line.place.upperBound
    }

    /// Decodes a line; nil if it is not a valid entry.
    private func entry(_ line: Data) -> Entry? {
        guard Self.limits.excess(of: line) == nil,
            var entry = try? JSONDecoder().decode(Entry.self, from: line), entry.isSound
        else { return nil }
        if let seal, let folderName, entry.subject.library == seal.library {
            entry.isProven = seal.isProven(line, in: folderName)
        }
        return entry
    }

    private static func noHeader(_ path: String) -> HostError {
        damage(path, "its first line is not the header of a record")
    }

    private static func damage(_ path: String, _ reason: String) -> HostError {
        HostError(
            .badInput,
            "the record of earlier exports, \(path), is damaged: \(reason); restore an intact "
                + "copy, or remove it (existing files are then kept, and changed photos "
                + "are exported under other names)"
        )
    }

    // MARK: - Entries

    /// The files written for a subject; nil if there are none in the record.
    func entry(of subject: Subject) -> Entry? { stored[subject]?.entry }

    /// The entries of all subjects, unordered.
    var entries: [Entry] { stored.values.map(\.entry) }

    /// Applies an entry, which replaces the earlier one of its subject. An unproven entry never replaces a
    /// proven one.
    private mutating func take(_ entry: Entry, _ place: Range<Int>) {
        let subject = entry.subject
        let isOwn = subject.library == seal?.library
        let earlier = stored[subject]
        if let earlier, earlier.entry.isProven, !entry.isProven {
            replacedCount += 1
            return
        }
        if earlier != nil { replacedCount += 1 }
        for file in entry.files {
            if isOwn, !entry.isProven, let owner = owners[file.name],
                stored[owner]?.entry.isProven == true
            {
                continue
            }
            owners[file.name] = subject
        }
        if entry.files.isEmpty {
            stored[subject] = nil
            replacedCount += 1
        } else {
            stored[subject] = Stored(entry: entry, place: place)
        }
    }

    /// Applies an entry whose line has been appended to the file.
    mutating func append(_ entry: Entry, _ count: Int) {
        var entry = entry
        entry.isProven = seal != nil
        take(entry, length..<length + count)
        length += count
    }

    /// Whether no other subject has used a name since.
    func owns(_ subject: Subject, _ name: FileName) -> Bool {
        owners[name].map { $0 == subject } ?? true
    }

    // MARK: - Lines

    /// Whether later lines replaced more than half of the lines.
    var isMostlyReplaced: Bool { replacedCount > max(100, stored.count) }

    /// Returns the first line of a new file, with a new folder name.
    mutating func newHeader() throws -> Data {
        let name = UUID().uuidString.lowercased()
        folderName = name
        let line = Self.line(try Self.object(Header(export: Self.version, folder: name)))
        length = line.count
        return line
    }

    /// Encodes an entry as a line, with its proof.
    ///
    /// - Throws: `HostError` with `fileFailed` if the line would exceed the limits for reading.
    func line(_ entry: Entry) throws -> Data {
        var object = try Self.object(entry)
        if let seal, let folderName { object = seal.sealed(object, in: folderName) }
        let line = Self.line(object)
        guard length + line.count <= Self.maximumBytes, Self.limits.excess(of: line) == nil else {
            throw HostError(
                .fileFailed,
                "the export record has no room for the asset's files; export into another folder"
            )
        }
        return line
    }

    private static func object(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    private static func line(_ object: Data) -> Data { object + Data([UInt8(ascii: "\n")]) }

    /// Copies the current lines of the file. They are copied byte for byte, so that lines of other libraries
    /// remain proven.
    ///
    /// - Returns: The record of the new file, and the new file.
    func shortened(_ file: OpenFile) throws -> (ExportRecord, OpenFile) {
        var new = self
        let copy = try OpenFile.memory("record")
        if let folderName {
            let header = Self.line(
                try Self.object(Header(export: Self.version, folder: folderName)))
            try copy.append(header)
            new.length = header.count
        } else {
            try copy.append(try new.newHeader())
        }
        let order = stored.sorted { $0.value.place.lowerBound < $1.value.place.lowerBound }
        for (subject, item) in order {
            let line = try file.read(count: item.place.count, at: item.place.lowerBound)
            try copy.append(line)
            new.stored[subject] = Stored(
                entry: item.entry, place: new.length..<new.length + line.count)
            new.length += line.count
        }
        new.replacedCount = 0
        return (new, copy)
    }

    private struct Header: Codable {
        let export: Int
        var folder: String?
    }
}
