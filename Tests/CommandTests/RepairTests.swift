// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of the built command's `check --repair` and its exit statuses.
@Suite("repair")
struct RepairTests {
    /// One photo with two states, the second of which is current.
    private struct Damaged {
        let bench: Workbench
        let id: String

        init() throws {
            let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
            self.bench = bench
            id = ids[0]
            _ = try bench.json("edit", id, "--with", "sepia", "--set", "intensity=0.3")
            _ = try bench.json("edit", id, "--with", "sepia", "--set", "intensity=0.8")
        }

        /// The path of the stored file with these bytes.
        func path(of bytes: Data) throws -> String {
            let blobs = bench.folder.file("Photos.editlibrary/blobs")
            let names = try FileManager.default.subpathsOfDirectory(atPath: blobs)
            return try #require(
                names.map { "\(blobs)/\($0)" }
                    .first { FileManager.default.contents(atPath: $0) == bytes })
        }

        func flip(_ path: String) throws -> Data {
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            bytes[bytes.count / 2] ^= 1
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            try bytes.write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
            return bytes
        }

        /// Runs `check` with all files read. Returns its status, its findings and its last line.
        func check(_ options: String...) throws -> (Int32, [[String: Any]], [String: Any]) {
            let result = try runProgram(
                Workbench.command, ["check", "--read-data", "100", "--json"] + options,
                environment: bench.environment())
            var objects = try result.objects
            let last = objects.popLast()
            return (result.status, objects, try #require(last, "\(result.errors)"))
        }
    }

    @Test("a damaged rendition is re-rendered byte for byte from the original and recipe")
    func rendition() throws {
        let library = try Damaged()
        let good = try library.bench.exported(library.id, "current").bytes
        let path = try library.path(of: good)
        _ = try library.flip(path)
        let (status, found, _) = try library.check()
        #expect(status == 2)
        #expect(found.map { $0["kind"] as? String } == ["renditionDamaged"])
        #expect(found.first?["id"] as? String == library.id)
        #expect(found.first?["repairable"] as? Bool == true)
        let (repaired, actions, last) = try library.check("--repair")
        #expect(repaired == 0 && last["status"] as? String == "clean")
        #expect(actions.map { $0["repair"] as? String } == ["rendered"])
        #expect(FileManager.default.contents(atPath: path) == good)
        // A missing rendition of a state that is not current: status 1, and re-rendered too.
        _ = try library.bench.json("undo", library.id)
        try FileManager.default.removeItem(atPath: path)
        #expect(try library.check().0 == 1)
        #expect(try library.check("--repair").0 == 0)
        #expect(FileManager.default.contents(atPath: path) == good)
    }

    @Test("a rendition whose extension is missing is reported and left unchanged")
    func extensionGone() throws {
        let library = try Damaged()
        let path = try library.path(of: library.bench.exported(library.id, "current").bytes)
        let bad = try library.flip(path)
        try FileManager.default.removeItem(
            atPath: library.bench.folder.file("extensions/SepiaFilter.editingextension"))
        let (status, actions, _) = try library.check("--repair")
        #expect(status == 2)
        #expect(actions.first?["repairable"] as? Bool == false)
        #expect(actions.first?["repair"] as? String == "none")
        #expect(FileManager.default.contents(atPath: path) == bad)
    }

    @Test("a damaged original is quarantined, and importing the same file restores it")
    func original() throws {
        let library = try Damaged()
        let good = try library.bench.exported(library.id, "original").bytes
        let path = try library.path(of: good)
        let bad = try library.flip(path)
        let (status, actions, last) = try library.check("--repair")
        #expect(status == 2 && last["status"] as? String == "damage")
        #expect(actions.map { $0["kind"] as? String } == ["originalDamaged"])
        #expect(actions.map { $0["repair"] as? String } == ["setAside"])
        let aside =
            library.bench.folder.file("Photos.editlibrary/quarantine/")
            + (path as NSString).lastPathComponent
        #expect(FileManager.default.contents(atPath: aside) == bad)
        // The edited picture is still available.
        #expect(try !library.bench.exported(library.id, "current").bytes.isEmpty)
        let again = try library.bench.folder.write(good, to: "photos/again.png")
        let imported = try library.bench.json("import", again)
        #expect(imported.first?["status"] as? String == "duplicate")
        #expect(imported.first?["id"] as? String == library.id)
        #expect(try library.check().0 == 0)
    }

    @Test("damaged and missing files are restored from a backup, whose bytes are verified")
    func backup() throws {
        let library = try Damaged()
        let bench = library.bench
        let backup = bench.folder.file("backup")
        #expect(try bench.run("backup", backup).status == 0)
        let original = try bench.exported(library.id, "original").bytes
        let current = try bench.exported(library.id, "current").bytes
        let (first, second) = (try library.path(of: original), try library.path(of: current))
        // Without its extension, the rendition cannot be rendered again.
        try FileManager.default.removeItem(
            atPath: bench.folder.file("extensions/SepiaFilter.editingextension"))
        _ = try library.flip(first)
        _ = try library.flip(second)
        let (status, actions, last) = try library.check("--repair", "--from", backup)
        #expect(status == 0 && last["status"] as? String == "clean")
        #expect(
            Set(actions.map { "\($0["kind"] ?? "") \($0["repair"] ?? "")" }) == [
                "originalDamaged restored", "renditionDamaged restored",
            ])
        #expect(FileManager.default.contents(atPath: first) == original)
        #expect(FileManager.default.contents(atPath: second) == current)
        // A damaged file of the backup is not used.
        try FileManager.default.removeItem(atPath: first)
        let shard = (first as NSString).pathComponents.suffix(2).joined(separator: "/")
        let copy = "\(backup)/blobs/\(shard)"
        let damaged = try library.flip(copy)
        #expect(FileManager.default.contents(atPath: copy) == damaged)
        let quarantine = bench.folder.file("Photos.editlibrary/quarantine")
        try FileManager.default.removeItem(atPath: quarantine)
        let (left, none, _) = try library.check("--repair", "--from", backup)
        #expect(left == 2 && none.map { $0["repair"] as? String } == ["none"])
        #expect(!FileManager.default.fileExists(atPath: first))
        for (folder, status) in [("photos", 65), ("nowhere", 66)] as [(String, Int32)] {
            let refused = try bench.run("check", "--repair", "--from", bench.folder.file(folder))
            #expect(refused.status == status, "\(folder): \(refused.errors)")
        }
    }

    @Test("eight concurrent edits of one photo succeed or fail with 75; no edit is lost")
    func crowd() throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        let runs = try (1...8).map { number in
            try RunningCommand(
                bench, ["edit", ids[0], "--with", "sepia", "--set", "intensity=0.\(number)"])
        }
        let statuses = try runs.map { try $0.status() }
        for run in runs { #expect(!run.output.contains("locked"), "\(run.output)") }
        #expect(statuses.allSatisfy { $0 == 0 || $0 == 75 }, "\(runs.map(\.output))")
        let done = statuses.count { $0 == 0 }
        let position = try bench.position(ids[0])
        #expect(done > 0 && position.current == done && position.count == done)
        // A refused edit may have left a rendition that no row names.
        #expect(try bench.run("check", "--read-data", "100").status <= 1)
        #expect(try bench.run("prune", "--keep", "100").status == 0)
        #expect(try bench.run("check", "--read-data", "100").status == 0)
        #expect(
            try bench.json("rerender", ids[0], "--dry-run")[0]["status"] as? String == "upToDate")
        print("eight commands at once: \(done) done, \(8 - done) told to try again")
    }
}
