// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation

/// What exports have written into a folder, so that later ones know what changed.
///
/// It is a file of lines in the folder itself; a line holds what was written of an asset, and the last one of an asset
/// counts. So a line is appended before files get their names, and an export that is killed leaves a true record. Anyone may have
/// written the file: it is read a line at a time, within limits; names in it lead nowhere but below the folder; and files are replaced or
/// removed only for lines that prove that an export of the library wrote them (see ``RecordSeal``).
struct ExportRecord: Sendable {
    static let filename = ".edithost-export.jsonl"
    /// Version 1 proved nothing, and had no name of the folder.
    private static let version = 2
    private static let maximumBytes = 256 << 20
    /// Of one line, which is parsed as a whole.
    private static let limits = JSONLimits(bytes: 1 << 20, values: 100_000, depth: 8)

    /// An entry, and where its line is.
    private struct Stored {
        let entry: Entry
        let place: Range<Int>
    }

    private var stored: [Subject: Stored] = [:]
    /// Whose the names are: of whoever took one last.
    private var owners: [FileName: Subject] = [:]
    /// Proves the lines of a library; nil: nothing can be proven.
    private let seal: RecordSeal?
    /// What the record calls its folder, so that no line of another folder's record holds here; nil: nothing yet.
    private(set) var folderName: String?
    /// How many lines the file has that a later one has replaced.
    private var replacedCount = 0
    /// How many bytes of the file are whole lines: behind them is what a killed export was writing.
    private(set) var length = 0

    /// None.
    init(seal: RecordSeal?) { self.seal = seal }

    /// Reads a record's file.
    ///
    /// - Throws: `HostError` with `badInput` where it is none of this version, or too long.
    init(_ file: OpenFile, seal: RecordSeal?) throws {
        self.init(seal: seal)
        guard try file.byteCount() <= Self.maximumBytes else {
            throw Self.damage(file.path, "it is longer than \(Self.maximumBytes >> 20) MiB")
        }
        // The file appears with its first line in it: somebody has emptied one without.
        guard try file.byteCount() > 0 else { throw Self.damage(file.path, "it is empty") }
        var lines = LineReader(file, maximumLength: Self.limits.bytes)
        do {
            guard let first = try lines.next() else { throw Self.noHeader(file.path) }
            try take(header: first, of: file)
            while let line = try lines.next() {
                // It may be growing.
                guard line.place.upperBound <= Self.maximumBytes else { break }
                length = line.place.upperBound
                // Empty lines say nothing.
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
                .badInput,
                "\(file.path) was written by a newer version of edithost (format "
                    + "\(header.export)); update edithost")
        }
        if header.export == Self.version {
            guard let name = header.folder, (1...64).contains(name.utf8.count),
                !name.utf8.contains(UInt8(ascii: "\n"))
            else { throw Self.noHeader(file.path) }
            folderName = name
        }
        length = line.place.upperBound
    }

    /// What a line says; nil: nothing that a line can say.
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
                + "copy, or remove it (existing files are then kept, and changed photographs "
                + "are exported under other names)"
        )
    }

    // MARK: - Entries

    /// What was written of an asset; nil: nothing that the record says.
    func entry(of subject: Subject) -> Entry? { stored[subject]?.entry }

    /// What was written of all of them.
    var entries: [Entry] { stored.values.map(\.entry) }

    /// Takes a line, the last word on an asset. One that proves nothing has no say where another one does.
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

    /// Takes an entry whose line has been appended to the file.
    mutating func append(_ entry: Entry, _ count: Int) {
        var entry = entry
        entry.isProven = seal != nil
        take(entry, length..<length + count)
        length += count
    }

    /// Whether nobody else has taken a name since.
    func owns(_ subject: Subject, _ name: FileName) -> Bool {
        owners[name].map { $0 == subject } ?? true
    }

    // MARK: - Lines

    /// Whether more than half of the lines have been replaced.
    var isMostlyReplaced: Bool { replacedCount > max(100, stored.count) }

    /// The first line of a new file.
    mutating func newHeader() throws -> Data {
        let name = UUID().uuidString.lowercased()
        folderName = name
        let line = Self.line(try Self.object(Header(export: Self.version, folder: name)))
        length = line.count
        return line
    }

    /// The line of an entry.
    ///
    /// - Throws: `HostError` with `fileFailed` if it could not be read again.
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

    /// The same file with only the lines that count, word by word, so that those of other libraries still prove what they did.
    ///
    /// - Returns: the record of the new file, and its bytes.
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
