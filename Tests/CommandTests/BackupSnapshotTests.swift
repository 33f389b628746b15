// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of the states that a backup keeps: `backup list`, `backup prune` and `restore --at`.
@Suite("snapshots of backups")
struct BackupSnapshotTests {
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

    private func blobCount(_ path: String) throws -> Int {
        try files.subpathsOfDirectory(atPath: path + "/blobs").count { $0.utf8.count > 60 }
    }

    private var names: [String] {
        get throws { try files.contentsOfDirectory(atPath: backup + "/snapshots").sorted() }
    }

    /// Removes a photo and its files for good.
    private func remove(_ id: String) throws {
        _ = try bench.json("delete", id)
        _ = try bench.json("trash", "empty")
        _ = try bench.json("prune", "--empty-trash")
    }

    /// Replaces the snapshots by copies of the last one with other dates.
    private func setDates(_ dates: [String]) throws {
        let folder = backup + "/snapshots/"
        let last = try #require(names.last)
        for date in dates {
            try files.copyItem(atPath: folder + last, toPath: "\(folder)\(date)Z.sqlite")
        }
        try files.removeItem(atPath: folder + last)
    }

    @Test("each backup adds a snapshot, and restore --at restores the state of its date")
    func restoreEarlier() throws {
        var states: [String] = []
        for id in ids.prefix(2) {
            _ = try bench.json("backup", backup)
            states.append(try listing(library))
            try remove(id)
        }
        _ = try bench.json("backup", backup)
        states.append(try listing(library))
        #expect(try listing(backup) == states[2])
        // The originals that were removed from the library are still there.
        #expect(try blobCount(library) == 1 && blobCount(backup) == 3)

        let rows = try bench.json("backup", "list", backup)
        #expect(rows.map { $0["photos"] as? Int } == [1, 2, 3])
        let table = try bench.run("backup", "list", backup)
        #expect(table.output.split(separator: "\n").count == 4, "\(table.output)")
        for (number, row) in rows.reversed().enumerated() {
            let date = try #require(row["date"] as? String)
            let path = bench.folder.file("restored-\(number)")
            let restored = try bench.run("restore", backup, "--at", date, "--library", path)
            #expect(restored.status == 0, "\(restored.errors)")
            #expect(try listing(path) == states[number], "\(date)")
            let check = try bench.run("check", "--read-data", "100", "--library", path)
            #expect(check.status == 0, "\(check.output)")
        }
        let check = try bench.run("check", "--read-data", "100", "--library", backup)
        #expect(check.status == 0, "\(check.output)")
        #expect(check.output.contains("3 files, 3 read"), "\(check.output)")
    }

    @Test("a backup of an unchanged library needs no space for its snapshot")
    func unchanged() throws {
        func inodes() throws -> [Int?] {
            try names.map {
                let path = "\(backup)/snapshots/\($0)"
                return try files.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
            }
        }
        for _ in 0..<3 { _ = try bench.json("backup", backup) }
        #expect(try names.count == 3 && Set(inodes()).count == 1)
        _ = try bench.json("favorite", ids[0])
        for _ in 0..<2 { _ = try bench.json("backup", backup) }
        #expect(try names.count == 5 && Set(inodes()).count == 2)
        #expect(try listing(backup) == listing(library))
        let rows = try bench.json("backup", "list", backup)
        #expect(rows.map { $0["photos"] as? Int } == [3, 3, 3, 3, 3])
    }

    @Test("restore --at takes the newest snapshot that is not later, in local time")
    func dates() throws {
        _ = try bench.json("backup", backup)
        let dates = ["2024-03-01T100000.000", "2024-03-01T100000.500", "2024-05-31T235959.999"]
        try setDates(dates)
        let expected: [(String, String, String?)] = [
            ("2024-02-29", "UTC", nil), ("2024-03", "UTC", dates[1]), ("2024", "UTC", dates[2]),
            ("2024-03-01", "UTC", dates[1]), ("2024-03-01T10:00:00", "UTC", dates[0]),
            ("2024-03-01T10:00:00.2Z", "UTC", dates[0]), ("2024-03-01T09:59", "UTC", nil),
            ("2024-05-31", "UTC", dates[2]), ("2024-05-31T23:59:58", "UTC", dates[1]),
            // In this zone, it is an hour later than in UTC.
            ("2024-05-31", "UTC-1", dates[1]), ("2024-06-01", "UTC-1", dates[2]),
            ("2024-03-01T11:00", "UTC-1", dates[0]), ("2024-03-01 10:00:00", "UTC-1", nil),
            ("2024-03-01T11:00:00.5", "UTC-1", dates[1]),
            // A date of JSON output is exact.
            ("2024-03-01T10:00:00Z", "UTC-1", dates[0]),
            ("2024-03-01T11:00:01+01:00", "UTC", dates[1]),
        ]
        for (number, (date, zone, name)) in expected.enumerated() {
            let result = try bench.run(
                "restore", backup, "--at", date, "--library", bench.folder.file("to-\(number)"),
                environment: ["TZ": zone])
            #expect(result.status == (name == nil ? 66 : 0), "\(date) \(zone): \(result.errors)")
            guard let name else {
                #expect(result.errors.contains("has no snapshot"), "\(result.errors)")
                continue
            }
            // The table's hour is that of the zone.
            let hour = zone == "UTC" ? 0 : 1
            let shown =
                name == dates[2]
                ? (hour == 0 ? "2024-05-31 23:59:59" : "2024-06-01 00:59:59")
                : "2024-03-01 \(10 + hour):00:00"
            #expect(result.errors.contains("snapshot of \(shown)"), "\(date): \(result.errors)")
        }
    }

    @Test("of two snapshots in the same second, the one with exactly the given date is restored")
    func sameSecond() throws {
        _ = try bench.json("backup", backup)
        _ = try bench.json("delete", ids[0])
        _ = try bench.json("backup", backup)
        for (name, date) in zip(try names, ["000", "500"]) {
            try files.moveItem(
                atPath: "\(backup)/snapshots/\(name)",
                toPath: "\(backup)/snapshots/2024-03-01T100000.\(date)Z.sqlite")
        }
        let expected = [
            ("2024-03-01T10:00:00Z", 3), ("2024-03-01T10:00:00.5Z", 2), ("2024-03-01T10:00:01Z", 2),
            ("2024-03-01", 2),
        ]
        for (date, count) in expected {
            let path = bench.folder.file("restored-\(date)")
            _ = try bench.json("restore", backup, "--at", date, "--library", path)
            #expect(try bench.json("list", "--library", path).count == count, "\(date)")
        }
    }

    @Test("backup prune --keep keeps the newest snapshot of each period")
    func retention() throws {
        _ = try bench.json("backup", backup)
        // 2024-03-04 was a Monday.
        let dates = [
            "2022-12-31T120000.000", "2023-06-01T120000.000", "2024-01-31T120000.000",
            "2024-02-29T120000.000", "2024-03-03T235959.000", "2024-03-04T000000.000",
            "2024-03-05T080000.000", "2024-03-05T180000.000", "2024-03-06T120000.000",
        ]
        try setDates(dates)
        let expected: [(String, [Int])] = [
            ("3d,2w,3m,2y", [1, 2, 3, 4, 5, 7, 8]), ("9", Array(0...8)), ("2", [7, 8]),
            ("1d", [8]), ("2w", [4, 8]), ("2m", [3, 8]), ("5y", [0, 1, 8]),
            ("100d", [0, 1, 2, 3, 4, 5, 7, 8]),
            ("4,1m", [5, 6, 7, 8]),
        ]
        for (keep, kept) in expected {
            let copy = bench.folder.file("copy")
            try files.copyItem(atPath: backup, toPath: copy)
            let before = try FolderRecord(copy)
            let dry = try bench.run(
                "backup", "prune", copy, "--keep", keep, "--dry-run", "--json",
                environment: ["TZ": "UTC"])
            #expect(dry.status == 0, "\(dry.errors)")
            #expect(try FolderRecord(copy).differences(from: before) == [])
            let result = try bench.run(
                "backup", "prune", copy, "--keep", keep, "--json", environment: ["TZ": "UTC"])
            #expect(result.status == 0, "\(result.errors)")
            let left = try files.contentsOfDirectory(atPath: copy + "/snapshots").sorted()
            #expect(left == kept.map { "\(dates[$0])Z.sqlite" }, "\(keep)")
            let (row, predicted) = (try result.objects[0], try dry.objects[0])
            #expect(row["kept"] as? Int == kept.count)
            #expect(row["removed"] as? [String] == predicted["removed"] as? [String])
            #expect((row["removed"] as? [String])?.count == 9 - kept.count)
            try files.removeItem(atPath: copy)
        }
        for keep in [
            "", "0", "7x", "-1", "7d,7d", "3,10", "d", "7d,", "99999999999999999999d", "1.5d",
        ] {
            let result = try bench.run("backup", "prune", backup, "--keep=\(keep)")
            #expect(result.status == 64, "\(keep): \(result.errors)")
        }
        #expect(try bench.run("backup", "prune", backup).status == 64)
        #expect(try names.count == 9)
    }

    @Test("backup prune uses the local time of the computer", arguments: [("9d", 3), ("9w", 2)])
    func localRetention(keep: String, count: Int) throws {
        _ = try bench.json("backup", backup)
        // A day of 23 hours, the days before and after it, and the beginning of a week.
        let dates = [
            "2024-03-30T225959.000", "2024-03-30T230000.000", "2024-03-31T215959.000",
            "2024-03-31T220000.000",
        ]
        try setDates(dates)
        let kept = [dates[0], dates[2], dates[3]].suffix(count)
        let result = try bench.run(
            "backup", "prune", backup, "--keep", keep,
            environment: ["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try names == kept.map { "\($0)Z.sqlite" })
    }

    @Test("backup prune removes the files that only removed snapshots need")
    func removedFiles() throws {
        _ = try bench.json("backup", backup)
        try remove(ids[0])
        _ = try bench.json("backup", backup)
        let size =
            try files.attributesOfItem(
                atPath: bench.folder.file("photos/picture0.png"))[.size] as? Int
        let dry = try bench.json("backup", "prune", backup, "--keep", "1", "--dry-run")[0]
        let row = try bench.json("backup", "prune", backup, "--keep", "1")[0]
        for row in [dry, row] {
            #expect(row["files"] as? Int == 1 && row["bytes"] as? Int == size, "\(row)")
        }
        #expect(try blobCount(backup) == 2)
        #expect(try bench.run("check", "--library", backup).status == 0)
        let again = try bench.run("backup", "prune", backup, "--keep", "1")
        #expect(again.output.contains("0 snapshots and 0 files"), "\(again.output)")
        // The last backup stays, even if its snapshot was removed by hand.
        try files.removeItem(atPath: backup + "/snapshots")
        _ = try bench.json("backup", "prune", backup, "--keep", "1")
        #expect(try blobCount(backup) == 2)
        #expect(try bench.json("backup", "list", backup).map { $0["photos"] as? Int } == [2])
        // The next backup keeps it as a snapshot, as it does with backups of earlier versions.
        try remove(ids[1])
        _ = try bench.json("backup", backup)
        let rows = try bench.json("backup", "list", backup)
        #expect(rows.map { $0["photos"] as? Int } == [1, 2])
        #expect(try blobCount(backup) == 2)
    }

    @Test("a damaged snapshot is reported, and no file is removed while it is there")
    func damagedSnapshot() throws {
        _ = try bench.json("backup", backup)
        try remove(ids[0])
        _ = try bench.json("backup", backup)
        let first = try backup + "/snapshots/" + #require(names.first)
        // The last backup shares no file with the first one.
        #expect(chmod(first, 0o644) == 0)
        try Data("not a database".utf8).write(to: URL(fileURLWithPath: first))
        try remove(ids[1])
        let next = try bench.run("backup", backup)
        #expect(next.status == 1 && next.errors.contains(first), "\(next.errors)")
        #expect(try blobCount(backup) == 3)
        let check = try bench.run("check", "--library", backup, "--json")
        #expect(check.status == 2)
        #expect(
            try check.objects.contains {
                $0["kind"] as? String == "snapshotDamaged" && $0["path"] as? String == first
            })
        #expect(try check.objects.allSatisfy { $0["kind"] as? String != "orphan" })
        let list = try bench.run("backup", "list", backup)
        #expect(list.status == 2 && list.output.contains("damaged"), "\(list.output)")
        #expect(list.errors.contains(first), "\(list.errors)")
        #expect(try bench.run("backup", "prune", backup, "--keep", "9").status != 0)
        #expect(try names.count == 3)
        // Removing it makes the backup whole again.
        #expect(try bench.run("backup", "prune", backup, "--keep", "2").status == 0)
        #expect(try bench.run("backup", "--verify", backup).status == 0)
        #expect(try blobCount(backup) == 2)
    }

    @Test("snapshots that stay are checked before others are removed, even if no file is unused")
    func damagedThatStays() throws {
        _ = try bench.json("backup", backup)
        for title in ["a", "b"] {
            _ = try bench.json("set", ids[0], "--title", title)
            _ = try bench.json("backup", backup)
        }
        let path = try backup + "/snapshots/" + #require(names.last)
        let intact = try Data(contentsOf: URL(fileURLWithPath: path))
        var damaged = intact
        // The header of the second page, which SQLite checks.
        for place in 4096..<4104 { damaged[place] = 0xFF }
        for data in [Data(), Data("junk".utf8), damaged] {
            try files.removeItem(atPath: path)
            try data.write(to: URL(fileURLWithPath: path))
            let result = try bench.run("backup", "prune", backup, "--keep", "1d")
            #expect(result.status != 0 && result.errors.contains(path), "\(result.errors)")
            #expect(try names.count == 3)
        }
        try files.removeItem(atPath: path)
        try intact.write(to: URL(fileURLWithPath: path))
        #expect(try bench.json("backup", "prune", backup, "--keep", "1d")[0]["kept"] as? Int == 1)
    }

    @Test("entries that may be snapshots, such as links, protect all files")
    func possibleSnapshots() throws {
        _ = try bench.json("backup", backup)
        let path = try backup + "/snapshots/" + #require(names.first)
        let moved = bench.folder.file("elsewhere.sqlite")
        try files.moveItem(atPath: path, toPath: moved)
        try files.createSymbolicLink(atPath: path, withDestinationPath: moved)
        try remove(ids[0])
        let linked = try bench.run("backup", backup)
        #expect(linked.status == 1 && linked.errors.contains(path), "\(linked.errors)")
        #expect(try blobCount(backup) == 3)
        let renamed = backup + "/snapshots/before the wedding.sqlite"
        try files.removeItem(atPath: path)
        try files.moveItem(atPath: moved, toPath: renamed)
        let other = try bench.run("backup", backup)
        #expect(other.status == 1 && other.errors.contains(renamed), "\(other.errors)")
        #expect(try bench.run("backup", "prune", backup, "--keep", "1").status != 0)
        #expect(try blobCount(backup) == 3)
    }

    @Test("a last backup with another hard link is kept as a snapshot, too")
    func linkedLastBackup() throws {
        _ = try bench.json("backup", backup)
        let state = try listing(library)
        // As an earlier version left it, copied with hard links.
        try files.removeItem(atPath: backup + "/snapshots")
        try files.linkItem(
            atPath: backup + "/library.sqlite", toPath: bench.folder.file("copy.sqlite"))
        try remove(ids[0])
        _ = try bench.json("backup", backup)
        let rows = try bench.json("backup", "list", backup)
        #expect(rows.map { $0["photos"] as? Int } == [2, 3])
        #expect(try blobCount(backup) == 3)
        let date = try #require(rows.last?["date"] as? String)
        let restored = bench.folder.file("restored")
        _ = try bench.json("restore", backup, "--at", date, "--library", restored)
        #expect(try listing(restored) == state)
    }

    @Test("files that an interrupted backup has copied are not removed by prune")
    func interrupted() throws {
        _ = try bench.json("backup", backup)
        try remove(ids[0])
        _ = try bench.json("backup", backup)
        let name = String(repeating: "0", count: 64)
        try files.createDirectory(atPath: backup + "/blobs/00", withIntermediateDirectories: true)
        try Data("copied".utf8).write(to: URL(fileURLWithPath: "\(backup)/blobs/00/\(name)"))
        #expect(try bench.json("backup", "prune", backup, "--keep", "1")[0]["files"] as? Int == 1)
        #expect(try blobCount(backup) == 3)
        #expect(try bench.json("backup", backup)[0]["removed"] as? Int == 1)
        #expect(try blobCount(backup) == 2)
    }

    @Test("check finds missing and damaged files that only snapshots need")
    func damagedFiles() throws {
        _ = try bench.json("backup", backup)
        let kept = try listing(library)
        try remove(ids[0])
        try remove(ids[1])
        _ = try bench.json("backup", backup)
        let blobs = try files.subpathsOfDirectory(atPath: backup + "/blobs")
            .filter { $0.utf8.count > 60 }
        let known = try files.subpathsOfDirectory(atPath: library + "/blobs")
        let old = blobs.filter { !known.contains($0) }.sorted()
        try #require(old.count == 2)
        try files.removeItem(atPath: backup + "/blobs/" + old[0])
        let damaged = backup + "/blobs/" + old[1]
        #expect(chmod(damaged, 0o644) == 0)
        var data = try Data(contentsOf: URL(fileURLWithPath: damaged))
        data[data.count - 1] ^= 1
        try data.write(to: URL(fileURLWithPath: damaged))
        let check = try bench.run("check", "--read-data", "100", "--library", backup, "--json")
        #expect(check.status == 2)
        let found = try check.objects.filter { $0["kind"] as? String == "snapshotDamaged" }
        #expect(
            Set(found.compactMap { $0["path"] as? String })
                == Set(old.map { "\(backup)/blobs/\($0)" }))
        let restored = bench.folder.file("restored")
        let result = try bench.run("restore", backup, "--at", "2020", "--library", restored)
        #expect(result.status == 66)
        let rows = try bench.json("backup", "list", backup)
        let date = try #require(rows.last?["date"] as? String)
        let partly = try bench.run("restore", backup, "--at", date, "--library", restored)
        #expect(partly.status == 1, "\(partly.errors)")
        #expect(try listing(restored) == kept)
    }

    @Test("--fork continues the backup of a copy that has diverged, and keeps its snapshots")
    func fork() throws {
        _ = try bench.json("backup", backup)
        let copy = bench.folder.file("Copy.editlibrary")
        _ = try bench.json("restore", backup, "--library", copy)
        _ = try bench.json("delete", ids[0])
        _ = try bench.json("backup", backup)
        let original = try listing(library)
        _ = try bench.json("set", ids[1], "--title", "copy", "--library", copy)
        let refused = try bench.run("backup", backup, "--library", copy)
        #expect(refused.status == 73 && refused.errors.contains("--fork"), "\(refused.errors)")
        let forked = try bench.run("backup", backup, "--fork", "--library", copy)
        #expect(forked.status == 0, "\(forked.errors)")
        #expect(try listing(backup) == listing(copy))
        #expect(try bench.run("backup", backup, "--library", copy).status == 0)
        #expect(try bench.run("backup", backup).status == 73)
        // The state of the other copy is still there.
        let rows = try bench.json("backup", "list", backup)
        #expect(rows.map { $0["photos"] as? Int } == [3, 3, 2, 3])
        let date = try #require(rows[2]["date"] as? String)
        let restored = bench.folder.file("restored")
        _ = try bench.json("restore", backup, "--at", date, "--library", restored)
        #expect(try listing(restored) == original)
        // Another library's backup is refused all the same.
        let (other, _) = try Workbench.withPhotos(1)
        #expect(try other.run("backup", backup, "--fork").status == 73)
        #expect(try bench.run("backup", library, "--fork", "--library", copy).status == 73)
    }

    @Test(
        "foreign files among the snapshots are ignored, and a link in place of the folder is refused"
    )
    func foreign() throws {
        _ = try bench.json("backup", backup)
        let folder = backup + "/snapshots"
        for name in ["notes.txt", "2024-03-01T100000.000Z.sqlite.bak"] {
            try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        #expect(try bench.json("backup", "list", backup).count == 1)
        _ = try bench.json("backup", "prune", backup, "--keep", "1")
        #expect(try names.count == 3)
        let moved = bench.folder.file("elsewhere")
        try files.moveItem(atPath: folder, toPath: moved)
        try files.createSymbolicLink(atPath: folder, withDestinationPath: moved)
        for arguments in [
            ["backup", backup], ["backup", "list", backup],
            ["backup", "prune", backup, "--keep", "1"],
        ] {
            #expect(try bench.run(arguments).status != 0, "\(arguments)")
        }
        #expect(try files.contentsOfDirectory(atPath: moved).count == 3)
        for arguments in [
            ["backup", "list", library], ["backup", "prune", library, "--keep", "1"],
        ] {
            let result = try bench.run(arguments)
            #expect(result.status == 65 && result.errors.contains("not a backup"), "\(arguments)")
        }
    }

    @Test("backup prune is refused while the folder is in use")
    func busy() throws {
        _ = try bench.json("backup", backup)
        let descriptor = open(backup, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        try #require(flock(descriptor, LOCK_SH) == 0)
        #expect(try bench.run("backup", "prune", backup, "--keep", "1").status == 75)
        #expect(try bench.json("backup", "list", backup).count == 1)
        try #require(flock(descriptor, LOCK_UN) == 0)
    }

    @Test("a folder with the name of a subcommand is given as a path")
    func ambiguousName() throws {
        #expect(try bench.run("backup", "./list").status == 0)
        #expect(try bench.json("backup", "list", "list").count == 1)
        #expect(try bench.run("--library", library, "backup", "create", "prune").status == 0)
        let misspelt = try bench.run("backup", "lits")
        #expect(misspelt.status == 64 && misspelt.errors.contains("./lits"), "\(misspelt.errors)")
        #expect(!files.fileExists(atPath: bench.folder.file("lits")))
    }
}
