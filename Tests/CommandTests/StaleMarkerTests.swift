// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Marker files in folders that do not match them.
@Suite("stale markers of backup and restore")
struct StaleMarkerTests {
    private let bench: Workbench
    private let ids: [String]
    private let library: String
    private let backup: String

    init() throws {
        (bench, ids) = try Workbench.withPhotos(2)
        library = bench.folder.file("Photos.editlibrary")
        backup = bench.folder.file("backup")
        _ = try bench.json("backup", backup)
    }

    private func blobs(_ path: String) throws -> Set<String> {
        Set(
            try FileManager.default.subpathsOfDirectory(atPath: path + "/blobs")
                .filter { $0.utf8.count > 60 })
    }

    private func mark(_ path: String, _ name: String, _ text: String = "") throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    private func removeDatabase(_ path: String) throws {
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: "\(path)/library.sqlite\(ending)")
        }
    }

    @Test("restore refuses a library that carries a restore marker")
    func restoration() throws {
        let (other, _) = try Workbench.withPhotos(1)
        let others = bench.folder.file("others")
        #expect(try other.run("backup", others).status == 0)
        let older = bench.folder.file("older")
        #expect(try bench.run("restore", backup, "--library", older).status == 0)
        _ = try bench.importPicture(seed: 7)
        let before = try blobs(library)
        for source in [others, backup] {
            try mark(library, "restoring")
            let result = try bench.run("restore", source)
            #expect(result.status == 73, "\(result.output)")
            #expect(result.errors.contains("already contains a library"), "\(result.errors)")
            #expect(try blobs(library) == before)
            #expect(try bench.json("list").count == 3)
        }
        // A restore that was interrupted just before its end is completed.
        try mark(older, "restoring")
        #expect(try bench.run("restore", others, "--library", older).status == 73)
        #expect(try bench.run("restore", backup, "--library", older).status == 0)
        #expect(!FileManager.default.fileExists(atPath: older + "/restoring"))
    }

    @Test("restore does not remove originals whose database is lost")
    func lostDatabase() throws {
        _ = try bench.importPicture(seed: 7)
        let before = try blobs(library)
        try removeDatabase(library)
        try mark(library, "restoring")
        let refused = try bench.run("restore", backup)
        #expect(refused.status == 73)
        #expect(refused.errors.contains("choose another folder"), "\(refused.errors)")
        #expect(try blobs(library) == before)
        // The leftovers of an interrupted restore of the same backup are no obstacle.
        let begun = bench.folder.file("begun")
        try FileManager.default.copyItem(atPath: backup, toPath: begun)
        try removeDatabase(begun)
        let first = try #require(try blobs(begun).sorted().first)
        for name in ["backup.json", "blobs/" + first] {
            try FileManager.default.removeItem(atPath: "\(begun)/\(name)")
        }
        try mark(begun, "restoring")
        let result = try bench.run("restore", backup, "--library", begun)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try bench.json("list", "--library", begun).count == 2)
    }

    @Test("a library with a backup marker stays a library and is not overwritten by backup")
    func backupMark() throws {
        let copy = bench.folder.file("Copy.editlibrary")
        #expect(try bench.run("restore", backup, "--library", copy).status == 0)
        _ = try bench.json("delete", ids[0], "--library", copy)
        let marker = try String(contentsOfFile: backup + "/backup.json", encoding: .utf8)
        try mark(copy, "backup.json", marker)
        let before = try blobs(copy)
        let refused = try bench.run("backup", copy)
        #expect(refused.status == 73)
        #expect(refused.errors.contains("backup.json"), "\(refused.errors)")
        #expect(try blobs(copy) == before)
        _ = try bench.json("delete", ids[1], "--library", copy)
        #expect(try bench.json("list", "--library", copy).isEmpty)
    }

    @Test("files in a folder with a backup marker and no database are not removed")
    func begunBackup() throws {
        _ = try bench.importPicture(seed: 7)
        let before = try blobs(library)
        let stray = bench.folder.file("stray")
        try FileManager.default.copyItem(atPath: library, toPath: stray)
        try removeDatabase(stray)
        for name in try FileManager.default.contentsOfDirectory(atPath: stray)
        where name != "blobs" {
            try FileManager.default.removeItem(atPath: "\(stray)/\(name)")
        }
        let marker = try String(contentsOfFile: backup + "/backup.json", encoding: .utf8)
        try mark(stray, "backup.json", marker)
        let older = bench.folder.file("older")
        #expect(try bench.run("restore", backup, "--library", older).status == 0)
        try FileManager.default.removeItem(atPath: library)
        let refused = try bench.run("backup", stray, "--library", older)
        #expect(refused.status == 73, "\(refused.output)")
        #expect(try blobs(stray) == before)
    }
}
