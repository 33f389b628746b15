// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation

/// What exports have written into a folder, so that later ones know what changed.
///
/// It is a file of lines in the folder itself; a line holds what was written of an asset, and the last one of an asset
/// counts. So a line is appended before files get their names, and an export that is killed leaves a true record. The file may
/// come from anybody: names in it lead nowhere but below the folder, and no file is believed to be an earlier export's but by its hash.
struct ExportRecord: Sendable {
    static let filename = ".edithost-export.jsonl"
    private static let version = 1
    private static let maximumBytes = 256 << 20

    /// One file.
    struct File: Codable, Equatable {
        /// Its path below the folder.
        let name: String
        let hash: SHA256Digest
        let size: Int
        /// When it was modified, in nanoseconds since 1970.
        let modified: Int
        /// Whether it was there before, as it would have been written, so that no export may replace or remove it; nil: no.
        var wasThere: Bool?
    }

    /// What the files of an asset depend on, each part as a hash.
    struct Key: Codable, Equatable {
        /// What it shows.
        let content: String
        /// What its files say of it.
        let metadata: String
        /// How it is exported.
        let settings: String
    }

    /// What an entry is of: several variants of an asset can be in one folder, such as its original and its current picture.
    struct Subject: Hashable, Codable {
        let library: String
        let asset: String
        let variant: String
    }

    /// What was written of an asset.
    struct Entry: Codable {
        let subject: Subject
        let key: Key
        /// The number that its names have; 0: none.
        let number: Int
        /// The asset's own first. None: it is forgotten.
        let files: [File]
        /// The hashes of what was there before: until the files have their names it still is.
        let earlier: [SHA256Digest]
        /// What is there of earlier exports under names that these do not have, until it is pruned.
        let leaving: [File]
    }

    private(set) var entries: [Subject: Entry] = [:]
    /// Whose the names are: of whoever took one last.
    private var owners: [String: Subject] = [:]
    /// When the last line of each asset came: names are theirs who took them last.
    private var order: [Subject: Int] = [:]
    private var lineCount = 0
    /// How many lines the file has that a later one has replaced.
    private var replacedCount = 0
    /// How many bytes of the file are whole lines: behind them is what a killed export was writing.
    var length = 0

    /// None.
    init() {}

    /// Reads a record's file.
    ///
    /// - Throws: `HostError` with `badInput` where it is none of this version.
    init(_ file: OpenFile) throws {
        let data = try file.read(count: Self.maximumBytes + 1)
        guard data.count <= Self.maximumBytes else {
            throw Self.damage(file.path, "it is longer than \(Self.maximumBytes >> 20) MiB")
        }
        // The file appears with its first line in it: somebody has emptied one without.
        guard !data.isEmpty else { throw Self.damage(file.path, "it is empty") }
        guard let end = data.lastIndex(of: UInt8(ascii: "\n")) else {
            throw Self.damage(file.path, "its first line is no record's")
        }
        length = end + 1
        let decoder = JSONDecoder()
        let lines = data[...end].split(separator: UInt8(ascii: "\n"))
        guard !lines.isEmpty else { throw Self.damage(file.path, "it is empty") }
        for (index, line) in lines.enumerated() {
            let line = Data(line)
            if index == 0 {
                guard let header = try? decoder.decode(Header.self, from: line) else {
                    throw Self.damage(file.path, "its first line is no record's")
                }
                guard header.export <= Self.version else {
                    throw HostError(
                        .badInput,
                        "\(file.path) is of version \(header.export), from a newer edithost")
                }
                continue
            }
            guard let entry = try? decoder.decode(Entry.self, from: line), entry.isSound else {
                throw Self.damage(file.path, "its line \(index + 1) is no entry")
            }
            take(entry)
        }
    }

    private static func damage(_ path: String, _ reason: String) -> HostError {
        HostError(
            .badInput,
            "the record of earlier exports, \(path), is damaged: \(reason); restore an intact copy, or remove it: "
                + "the files that are there are then kept, and what is to be others now is exported under other names"
        )
    }

    /// Takes the last word on an asset.
    mutating func take(_ entry: Entry) {
        lineCount += 1
        order[entry.subject] = lineCount
        let earlier = entries.updateValue(entry, forKey: entry.subject)
        if earlier != nil { replacedCount += 1 }
        for file in entry.files { owners[file.name] = entry.subject }
        if entry.files.isEmpty {
            entries[entry.subject] = nil
            replacedCount += 1
        }
    }

    /// Whether nobody else has taken a name since.
    func owns(_ subject: Subject, _ name: String) -> Bool {
        owners[name].map { $0 == subject } ?? true
    }

    /// Whether more than half of the lines have been replaced.
    var isMostlyReplaced: Bool { replacedCount > max(100, entries.count) }

    /// The first line of the file.
    static func header() throws -> Data { try line(Header(export: version)) }

    static func line(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + Data([UInt8(ascii: "\n")])
    }

    /// The whole file, of what counts.
    func encoded() throws -> Data {
        var data = try Self.header()
        let sorted = entries.values.sorted { order[$0.subject] ?? 0 < order[$1.subject] ?? 0 }
        for entry in sorted { data += try Self.line(entry) }
        return data
    }

    private struct Header: Codable { let export: Int }
}

extension ExportRecord.Entry {
    /// Whether its names lead nowhere but below the folder.
    fileprivate var isSound: Bool {
        number >= 0 && number < Int(Int32.max)
            && (files + leaving).allSatisfy { file in
                file.size >= 0 && Self.isSound(file.name)
            }
            && Set(files.map(\.name)).count == files.count
    }

    /// Each component has to be one.
    private static func isSound(_ name: String) -> Bool {
        let components = name.pathComponents
        return components.count <= ExportNameTemplate.maximumDepth
            && components.allSatisfy {
                (1...SafeFilename.maximumBytes).contains($0.utf8.count) && $0 != "." && $0 != ".."
                    && !$0.utf8.starts(with: ".edithost".utf8) && !$0.utf8.contains(0)
            }
    }
}
