// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of backups without the database of the last backup, and of those by versions that made no snapshots.
@Suite("databases of backups")
struct BackupDatabaseTests {
    private let bench: Workbench
    private let ids: [String]
    private let backup: String
    private let library: String

    init() throws {
        (bench, ids) = try Workbench.withPhotos(3)
        backup = bench.folder.file("backup")
        library = bench.folder.file("Photos.editlibrary")
    }

    private var files: FileManager { .default }

    private func listing(_ path: String) throws -> String {
        let result = try bench.run("list", "--json", "--library", path)
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    @Test("a backup by a version without snapshots is listed and restored by its date")
    func withoutSnapshots() throws {
        _ = try bench.json("backup", backup)
        let state = try listing(library)
        try files.removeItem(atPath: backup + "/snapshots")
        let date = try #require(ISO8601DateFormatter().date(from: "2024-03-01T10:00:00Z"))
        try files.setAttributes(
            [.modificationDate: date], ofItemAtPath: backup + "/library.sqlite")
        let before = try FolderRecord(backup)
        let rows = try bench.json("backup", "list", backup)
        #expect(rows.map { $0["photos"] as? Int } == [3])
        let text = try #require(rows.first?["date"] as? String)
        #expect(text.hasPrefix("2024-03-01T10:00:00"))
        for (number, at) in [text, "2024-03", "2025"].enumerated() {
            let path = bench.folder.file("restored-\(number)")
            _ = try bench.json("restore", backup, "--at", at, "--library", path)
            #expect(try listing(path) == state, "\(at)")
        }
        let early = try bench.run(
            "restore", backup, "--at", "2024-02", "--library", bench.folder.file("early"))
        #expect(early.status == 66, "\(early)")
        #expect(try FolderRecord(backup).differences(from: before) == [])
        // The next backup keeps it under the same date.
        _ = try bench.json("delete", ids[0])
        _ = try bench.json("backup", backup)
        let later = try bench.json("backup", "list", backup)
        #expect(later.map { $0["photos"] as? Int } == [2, 3])
        #expect(later.last?["date"] as? String == text)
    }

    @Test("a copy of a backup without hard links has no further snapshot")
    func copiedWithoutLinks() throws {
        for id in ids.prefix(2) {
            _ = try bench.json("backup", backup)
            _ = try bench.json("delete", id)
        }
        let listed = try bench.run("backup", "list", backup, "--json")
        let copy = bench.folder.file("copy")
        // This command copies links as files of their own.
        let copied = try runProgram("/bin/cp", ["-r", "--no-preserve=links", backup, copy])
        try #require(copied.status == 0, "\(copied)")
        let other = try bench.run("backup", "list", copy, "--json")
        #expect(other.status == 0 && other.output == listed.output, "\(other)")
        _ = try bench.json("backup", copy)
        #expect(try bench.json("backup", "list", copy).count == 3)
    }

    @Test("the snapshots of a backup are found without the database of the last backup")
    func lostDatabase() throws {
        var states: [String] = []
        for id in ids.prefix(2) {
            _ = try bench.json("backup", backup)
            states.append(try listing(library))
            _ = try bench.json("delete", id)
        }
        let dates = try bench.json("backup", "list", backup).reversed()
            .compactMap { $0["date"] as? String }
        try #require(dates.count == 2)
        let database = backup + "/library.sqlite"
        let part = try Data(contentsOf: URL(fileURLWithPath: database)).prefix(5000)
        for bytes in [nil, Data(), part] {
            try? files.removeItem(atPath: database)
            try bytes?.write(to: URL(fileURLWithPath: database))
            let list = try bench.run("backup", "list", backup, "--json")
            // A part of the database is listed as damaged.
            #expect(list.status == (bytes == nil ? 0 : 2), "\(list)")
            let photos = try list.objects.compactMap { $0["photos"] as? Int }
            #expect(photos == [2, 3], "\(list)")
            for (date, state) in zip(dates, states) {
                let path = bench.folder.file(UUID().uuidString)
                let restored = try bench.run("restore", backup, "--at", date, "--library", path)
                #expect(restored.status == 0, "\(restored)")
                #expect(try listing(path) == state)
            }
            let last = try bench.run("restore", backup, "--library", bench.folder.file("last"))
            #expect(last.status != 0, "\(last)")
            if bytes == nil { #expect(last.errors.contains("--at"), "\(last)") }
            let pruned = try bench.run("backup", "prune", backup, "--keep", "1")
            #expect(pruned.status != 0, "\(pruned)")
            let left = try files.contentsOfDirectory(atPath: backup + "/snapshots")
            #expect(left.count == 2)
        }
        try files.removeItem(atPath: database)
        _ = try bench.json("backup", backup)
        #expect(try bench.run("check", "--library", backup).status == 0)
        #expect(try bench.json("backup", "list", backup).count == 3)
    }

    @Test("a damaged last backup is neither restored by its date nor kept as a snapshot")
    func damagedDatabase() throws {
        _ = try bench.json("backup", backup)
        let database = backup + "/library.sqlite"
        let intact = try Data(contentsOf: URL(fileURLWithPath: database))
        var damaged = intact
        // The header of the second page, which SQLite checks.
        for place in 4096..<4104 { damaged[place] = 0xFF }
        for (number, bytes) in [Data(), intact.prefix(5000), damaged].enumerated() {
            let state = try listing(library)
            _ = try bench.json("set", ids[0], "--rating", "\(number + 1)")
            // A new file, so that the snapshot stays intact.
            try files.removeItem(atPath: database)
            try bytes.write(to: URL(fileURLWithPath: database))
            let tomorrow = ISO8601DateFormatter().string(from: Date() + 86400)
            for at in [String(tomorrow.prefix(10)), tomorrow] {
                let path = bench.folder.file("restored-\(number)-\(at)")
                let restored = try bench.run("restore", backup, "--at", at, "--library", path)
                #expect(restored.status == 0, "\(at): \(restored)")
                #expect(try listing(path) == state, "\(at)")
            }
            _ = try bench.json("backup", backup)
            #expect(try bench.json("backup", "list", backup).count == number + 2)
            let kept = try bench.json("backup", "prune", backup, "--keep", "9")
            #expect(kept.first?["kept"] as? Int == number + 2)
        }
        #expect(try bench.run("check", "--library", backup).status == 0)
    }
}
