// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import TestSupport
import Testing

@testable import Library

/// Runs the built command on a library.
struct LibraryCommand {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the command until it exits, for up to a minute.
    func run(_ arguments: [String], on path: String) throws -> ProcessResult {
        var environment = ProcessInfo.processInfo.environment
        environment["HOME"] = folder.path
        environment["XDG_DATA_HOME"] = folder.file("data")
        environment["XDG_CONFIG_HOME"] = folder.file("config")
        environment["EDITHOST_EXTENSION_PATH"] = folder.file("extensions")
        environment["EDITHOST_LIBRARY"] = path
        return try runProgram(
            "/usr/bin/timeout", ["--signal=KILL", "60", BuildProducts.command] + arguments,
            environment: environment, folder: folder.path)
    }

    /// Verbs that read, and verbs that change without rendering a picture.
    static let verbs: [[String]] = [
        ["check"], ["list"], ["list", "--json"], ["list", "--hidden", "--text", "p"],
        ["list", "--missing"], ["album", "list", "--tree"], ["album", "list", "--json"],
        ["album", "list", "--moments"], ["album", "show", "Album"], ["show", "ASSET"],
        ["history", "ASSET"], ["resources", "ASSET"], ["favorite", "ASSET"],
        ["log"], ["set", "ASSET", "--date", "2024-05-31"], ["undo", "--last"],
        ["undo", "@1", "--dry-run"],
        ["undo", "ASSET"], ["redo", "ASSET"], ["prune"],
        ["album", "delete", "Album"], ["album", "folder", "delete", "Outer"], ["delete", "ASSET"],
        ["check", "--repair"],
    ]

    /// The documented statuses, except 70, which reports an internal failure.
    static let statuses: Set<Int32> = [0, 1, 2, 64, 65, 66, 69, 73, 75]

    /// Runs all verbs serially. Returns those with an undocumented status.
    func complaints(about path: String, asset: String) throws -> [String] {
        try Self.verbs.compactMap { verb in
            let arguments = verb.map { $0 == "ASSET" ? asset : $0 }
            let result = try run(arguments, on: path)
            if Self.statuses.contains(result.status) { return nil }
            return "\(arguments): \(result.status) \(result.errors.suffix(500))"
        }
    }
}

/// Commands on damaged libraries, and on folders that are not libraries.
@Suite("commands on damaged libraries")
struct DamagedLibraryCommandTests {
    private let rich: RichLibrary
    private let command: LibraryCommand

    init() throws {
        rich = try RichLibrary()
        command = try LibraryCommand()
    }

    private func check(_ path: String) throws -> ProcessResult {
        try command.run(["check"], on: path)
    }

    @Test("check reports every kind of damaged database with status 2")
    func reports() throws {
        for damage in ["text", "nothing", "short", "type", "view", "page"] {
            let path = try rich.copy()
            let file = URL(fileURLWithPath: RichLibrary.database(path))
            var bytes = try Data(contentsOf: file)
            switch damage {
            case "text": bytes = Data(repeating: 0x41, count: 8192)
            case "nothing": bytes = Data([0])
            case "short": bytes = bytes.prefix(5000)
            case "page": bytes.replaceSubrange(4096..<40_960, with: Data(count: 36_864))
            case "type":
                try LooseTables.loosen("asset", of: path, type: "TEXT", column: "generation")
            default:
                try RichLibrary.execute(on: path) {
                    try $0.execute(sql: "CREATE VIEW v AS SELECT 1")
                }
            }
            if !["type", "view"].contains(damage) { try bytes.write(to: file) }
            for arguments in [["check"], ["check", "--json"], ["check", "--repair"]] {
                let result = try command.run(arguments, on: path)
                #expect(result.status == 2, "\(damage) \(arguments): \(result.errors)")
                #expect(result.output.contains("databaseDamaged"), "\(damage) \(arguments)")
            }
            #expect(try command.run(["list"], on: path).status == 65, "\(damage)")
        }
    }

    @Test("check rejects non-libraries and newer libraries with 65")
    func refusals() throws {
        let folder = try TemporaryFolder()
        #expect(try check(folder.path).status == 65)
        #expect(try check(folder.file("nothing")).status == 65)
        let path = try rich.copy()
        try RichLibrary.execute(on: path) { try $0.execute(sql: "PRAGMA user_version = 99") }
        let result = try check(path)
        #expect(result.status == 65)
        #expect(result.errors.contains("newer version of edithost (format 99); update edithost"))
        try FileManager.default.removeItem(atPath: path + "/blobs")
        #expect(try check(path).status == 65)
    }

    @Test("an invalid value gives status 65 and names its column")
    func value() throws {
        let path = try rich.copy()
        try LooseTables.put("'text'", into: .init(table: "asset", name: "generation"), of: path)
        let result = try command.run(["list"], on: path)
        #expect(result.status == 65 && result.errors.contains("generation"), "\(result.errors)")
        #expect(try check(path).status == 2)
        #expect(try command.run(["check", "--repair"], on: path).status == 2)
    }

    @Test("30,000 nested folders are listed")
    func deepFolders() throws {
        let path = try rich.copy()
        try CyclicFolderTests.nest(30_000, from: 100, in: path)
        let result = try command.run(["album", "list"], on: path)
        #expect(result.status == 0, "\(result.status) \(result.errors)")
        #expect(result.output.contains("folder 30099"))
    }

    @Test("each verb of the command exits with a documented status")
    func verbs() throws {
        let asset = try #require(try rich.assets().first)
        let clean = try command.complaints(about: rich.copy(), asset: asset)
        #expect(clean == [])
        var random = SeededGenerator(seed: 43)
        let columns = try LooseTables.columns(of: rich.path)
        for _ in 0..<2 {
            let path = try rich.copy()
            let column = Fuzz.pick(columns, using: &random)
            let value = Fuzz.pick(LooseTables.values, using: &random)
            try LooseTables.put(value, into: column, of: path)
            let complaints = try command.complaints(about: path, asset: asset)
            #expect(complaints == [], "\(column) = \(value)")
        }
    }
}

/// The same tests for every column.
@Suite(
    "commands on damaged libraries, exhaustive",
    .torture)
struct DamagedLibraryCommandTorture {
    @Test("each verb exits with a documented status for any value in any column")
    func verbs() throws {
        let rich = try RichLibrary()
        let command = try LibraryCommand()
        let asset = try #require(try rich.assets().first)
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        var complaints: [String] = []
        for column in try LooseTables.columns(of: rich.path) {
            let path = try rich.copy()
            defer { try? FileManager.default.removeItem(atPath: path) }
            let value = Fuzz.pick(LooseTables.values, using: &random)
            try LooseTables.put(value, into: column, of: path)
            complaints += try command.complaints(about: path, asset: asset)
                .map { "\(column) = \(value): \($0)" }
        }
        print("verbs, seed \(seed): \(complaints.count) complaints")
        #expect(complaints == [])
    }
}
