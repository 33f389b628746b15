// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `backup` and `restore`.
@Suite("backups")
struct BackupTests {
    private let bench: Workbench
    private let ids: [String]
    private let backup: String

    init() throws {
        (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter"])
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        backup = bench.folder.file("backup")
    }

    private var library: String { bench.folder.file("Photos.editlibrary") }

    private func check(_ path: String) throws -> ProcessResult {
        try bench.run("check", "--read-data", "100", "--library", path)
    }

    /// The library's assets as `list --json` prints them.
    private func listing(_ path: String) throws -> String {
        let result = try bench.run("list", "--json", "--library", path)
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    private func blobs(_ path: String) throws -> Set<String> {
        Set(
            try FileManager.default.subpathsOfDirectory(atPath: path + "/blobs")
                .filter { $0.utf8.count > 60 })
    }

    @Test("a backup opens as a library, copies only new files and restores to an identical library")
    func whole() throws {
        let first = try bench.json("backup", "--verify", backup)
        #expect(first[0]["copied"] as? Int == 4 && first[0]["present"] as? Int == 0)
        #expect(try check(backup).status == 0)
        #expect(try listing(backup) == listing(library))
        #expect(try blobs(backup) == blobs(library))
        // Only `backup` may change a backup.
        for arguments in [
            ["edit", ids[0], "--with", "sepia"], ["undo", ids[0]], ["prune"],
            ["check", "--repair"],
            ["import", bench.folder.file("photos")],
        ] {
            let result = try bench.run(arguments + ["--library", backup])
            #expect(result.status != 0, "\(arguments)")
        }
        #expect(try check(backup).status == 0)

        _ = try bench.json("edit", ids[1], "--with", "sepia")
        _ = try bench.json("undo", ids[0])
        let second = try bench.json("backup", backup)
        #expect(second[0]["copied"] as? Int == 1 && second[0]["present"] as? Int == 4)
        let before = try listing(library)
        // A file lost in the library comes back from the backup.
        try FileManager.default.removeItem(atPath: library)
        let restored = try bench.run("restore", backup)
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try listing(library) == before)
        #expect(try check(library).status == 0)
        #expect(!FileManager.default.fileExists(atPath: library + "/restoring"))
        _ = try bench.json("redo", ids[0])
        _ = try bench.json("undo", ids[1])
        let third = try bench.json("backup", backup)
        #expect(third[0]["copied"] as? Int == 0)
    }

    @Test("files removed from the library stay in the backup as long as a snapshot needs them")
    func removed() throws {
        _ = try bench.json("backup", backup)
        _ = try bench.json("delete", ids[2])
        _ = try bench.json("backup", backup)
        #expect(try bench.json("trash", "list", "--library", backup).count == 1)
        _ = try bench.json("trash", "empty")
        #expect(try bench.run("prune", "--empty-trash").status == 0)
        let again = try bench.json("backup", backup)
        #expect(again[0]["removed"] as? Int == 0)
        #expect(try blobs(backup).isStrictSuperset(of: blobs(library)))
        #expect(try check(backup).status == 0)
        let pruned = try bench.json("backup", "prune", backup, "--keep", "1")
        #expect(pruned[0]["files"] as? Int == 1)
        #expect(try blobs(backup) == blobs(library))
        #expect(try check(backup).status == 0)
    }

    @Test("a backup taken during three concurrent edits passes check and restores")
    func concurrent() async throws {
        let bench = bench
        let editing = ids.map { id in
            Task {
                for turn in 1..<8 {
                    _ = try bench.run(
                        "edit", id, "--with", "sepia", "--set", "intensity=0.\(turn)")
                }
            }
        }
        for number in 0..<4 {
            let result = try bench.run("backup", backup)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try check(backup).status == 0)
            let path = bench.folder.file("restored-\(number)")
            #expect(try bench.run("restore", backup, "--library", path).status == 0)
            #expect(try check(path).status == 0)
        }
        for task in editing { try await task.value }
    }

    @Test(
        "backup refuses itself, another library, another backup and other files as its target"
    )
    func refused() throws {
        _ = try bench.json("backup", backup)
        let (other, _) = try Workbench.withPhotos(1)
        let link = bench.folder.file("link")
        #expect(symlink(library, link) == 0)
        let mine = bench.folder.file("mine")
        try FileManager.default.createDirectory(atPath: mine, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: mine + "/a.txt"))
        let before = try FolderRecord(bench.folder.path)
        for path in [
            library, library + "/blobs", library + "/new", link, link + "/new", bench.folder.path,
            other.folder.file("Photos.editlibrary"), mine,
        ] {
            let result = try bench.run("backup", path)
            #expect([73, 64, 65].contains(result.status), "\(path): \(result.status)")
        }
        #expect(try other.run("backup", backup).status == 73)
        // Only backups can be restored, and only to an unused path.
        for (from, to) in [
            (library, bench.folder.file("new")), (mine, bench.folder.file("new")),
            (backup, library), (backup, mine), (backup, backup + "/new"),
        ] {
            #expect(try bench.run("restore", from, "--library", to).status != 0, "\(from) \(to)")
        }
        let touched = try FolderRecord(bench.folder.path).differences(from: before)
        // Any reader may change SQLite's shared-memory file.
        #expect(touched.filter { !$0.hasSuffix("library.sqlite-shm") } == [])
    }

    @Test("only one backup or restore runs per folder at a time")
    func alone() throws {
        _ = try bench.json("backup", backup)
        func held(_ path: String, _ body: () throws -> Void) throws {
            // Processes that other tests start concurrently must not inherit the lock.
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { close(descriptor) }
            try #require(flock(descriptor, LOCK_EX) == 0)
            try body()
            try #require(flock(descriptor, LOCK_UN) == 0)
        }
        let target = bench.folder.file("restored")
        try held(backup) {
            for arguments in [["backup", backup], ["restore", backup, "--library", target]] {
                let result = try bench.run(arguments)
                #expect(result.status == 75, "\(arguments): \(result.errors)")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: target))
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try held(target) {
            let result = try bench.run("restore", backup, "--library", target)
            #expect(result.status == 75, "\(result.errors)")
        }
        #expect(try bench.run("restore", backup, "--library", target).status == 0)
        // Killed just before its marker was removed: the same command finishes it, and so does a change.
        for arguments in [
            ["restore", backup, "--library", target], ["undo", ids[0], "--library", target],
        ] {
            try Data().write(to: URL(fileURLWithPath: target + "/restoring"))
            #expect(try bench.run(arguments).status == 0)
            #expect(!FileManager.default.fileExists(atPath: target + "/restoring"))
        }
        #expect(try bench.run("restore", backup, "--library", target).status == 73)
        #expect(try check(target).status == 0)
    }

    @Test("foreign files next to the backup database do not get into the next backup")
    func leftovers() throws {
        try FileManager.default.createDirectory(
            atPath: backup, withIntermediateDirectories: true)
        try Data("{".utf8).write(to: URL(fileURLWithPath: backup + "/backup.json.new"))
        _ = try bench.json("backup", backup)
        let before = try listing(backup)
        // A foreign log whose pages do not match the next database.
        let stale = try Data(contentsOf: URL(fileURLWithPath: backup + "/library.sqlite"))
        _ = try bench.json("undo", ids[0])
        for name in ["wal", "journal", "shm"] {
            try stale.write(to: URL(fileURLWithPath: backup + "/library.sqlite-" + name))
        }
        let again = try bench.run("backup", "--verify", backup)
        #expect(again.status == 0, "\(again.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: backup)
        #expect(names.filter { $0.hasPrefix("library.sqlite-") } == [])
        let (after, own) = try (listing(backup), listing(library))
        #expect(after == own && after != before)
        // A backup made by a newer version is left unchanged.
        try Data(#"{"backup": 3, "library": "x"}"#.utf8).write(
            to: URL(fileURLWithPath: backup + "/backup.json"))
        let newer = try bench.run(
            "restore", backup, "--library", bench.folder.file("restored"))
        #expect(newer.status == 65, "\(newer.errors)")
        #expect(
            newer.errors.contains("newer version of edithost (format 3); update edithost"),
            "\(newer.errors)")
    }

    @Test("a damaged original is reported, and its earlier backup copy is kept")
    func damaged() throws {
        let name = try #require(blobs(library).sorted().first)
        let path = library + "/blobs/" + name
        #expect(chmod(path, 0o644) == 0)
        let good = try Data(contentsOf: URL(fileURLWithPath: path))
        var bad = good
        bad[bad.count - 5] ^= 1
        try bad.write(to: URL(fileURLWithPath: path))
        let result = try bench.run("backup", backup)
        #expect(result.status == 1, "\(result.errors)")
        #expect(result.errors.contains(String(name.suffix(64))), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: backup + "/blobs/" + name))
        let lacking = try bench.run("backup", "--verify", backup)
        #expect(lacking.status == 2)
        // The file that could not be copied is still named.
        #expect(lacking.output.contains("backed up to"), "\(lacking.output)")
        #expect(lacking.errors.contains(String(name.suffix(64))), "\(lacking.errors)")
        try good.write(to: URL(fileURLWithPath: path))
        #expect(try bench.run("backup", "--verify", backup).status == 0)
        // `--verify` copies a damaged backup file again; `restore` reports it.
        let stored = backup + "/blobs/" + name
        func damage() throws {
            #expect(chmod(stored, 0o644) == 0)
            try bad.write(to: URL(fileURLWithPath: stored))
        }
        try damage()
        let verified = try bench.run("backup", "--verify", backup)
        #expect(verified.status == 0, "\(verified.errors)")
        #expect(verified.errors.contains(String(name.suffix(64))), "\(verified.errors)")
        #expect(verified.errors.contains("copied again"), "\(verified.errors)")
        #expect(verified.output.contains(", 1 of them repaired"), "\(verified.output)")
        #expect(!verified.output.contains("removed"), "\(verified.output)")
        try damage()
        let counted = try bench.json("backup", "--verify", backup)
        #expect(counted[0]["repaired"] as? Int == 1)
        #expect(try bench.json("backup", "--verify", backup)[0]["repaired"] as? Int == 0)
        // Repairs are counted even if other problems remain.
        try damage()
        let unknown = backup + "/blobs/zz"
        try bad.write(to: URL(fileURLWithPath: unknown))
        let partly = try bench.run("backup", "--verify", backup, "--json")
        #expect(partly.status == 2, "\(partly.errors)")
        #expect(try partly.objects[0]["repaired"] as? Int == 1, "\(partly.output)")
        #expect(try partly.objects[0]["verified"] is NSNull)
        try FileManager.default.removeItem(atPath: unknown)
        #expect(try Data(contentsOf: URL(fileURLWithPath: stored)) == good)
        #expect(try check(backup).status == 0)
        try damage()
        let restored = try bench.run(
            "restore", backup, "--library", bench.folder.file("restored"))
        #expect(restored.status == 1 && restored.errors.contains(String(name.suffix(64))))
        #expect(restored.output.contains(", 1 could not be restored"), "\(restored.output)")
    }
}
