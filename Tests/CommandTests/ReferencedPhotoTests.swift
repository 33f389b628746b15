// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `import --reference` and `--move`, and of their consequences.
@Suite("referenced photos on the command line")
struct ReferencedPhotoTests {
    private let bench: Workbench

    init() throws { bench = try Workbench(extensions: ["SepiaFilter"]) }

    @Test("A-01 list --missing, check and export report a missing referenced file with 0, 0 and 65")
    func away() throws {
        let path = try bench.picture()
        let id = try #require(
            try bench.json("import", "--reference", path).first?["id"] as? String)
        let stored = try bench.importPicture(seed: 1)
        #expect(try bench.json("list", "--missing").isEmpty)
        #expect(try bench.json("check").last?["status"] as? String == "clean")
        try FileManager.default.removeItem(atPath: path)
        #expect(try bench.json("list", "--missing").map { $0["id"] as? String } == [id])
        #expect(try bench.json("list").count == 2)
        let check = try bench.json("check")
        #expect(check.map { $0["kind"] as? String } == ["referencedFileAway", nil])
        #expect(check.first?["severity"] as? String == "notice")
        #expect(check.last?["status"] as? String == "notice")
        let out = bench.folder.file("out")
        let both = try bench.run("export", "--all", "--to", out, "--json")
        #expect(both.status == 1)
        let failed = try both.objects.filter { $0["error"] is String }
        #expect(failed.map { $0["id"] as? String } == [id])
        #expect(try bench.run("export", "--missing", "--to", out).status == 65)
        #expect(try bench.run("edit", id, "--with", "sepia").status == 65)
        #expect(try bench.json("rerender", "--missing").count == 2)
        #expect(try bench.json("edit", stored, "--with", "sepia").count == 1)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        #expect(try bench.run("export", id, "--to", out).status == 65)
    }

    @Test("K-10 undo succeeds while the files are missing; revert is rejected")
    func undoWithoutFile() throws {
        var ids: [String] = []
        for seed in 0..<2 {
            let path = try bench.picture(seed: seed)
            ids.append(
                try #require(try bench.json("import", "--reference", path).first?["id"] as? String))
        }
        _ = try bench.json(["edit"] + ids + ["--with", "sepia"])
        let folder = bench.folder.file("photos")
        try FileManager.default.moveItem(atPath: folder, toPath: folder + ".away")
        #expect(try bench.run(["revert"] + ids).status == 65)
        for (command, position) in [("undo", 0), ("redo", 1), ("undo", 0)] {
            #expect(try bench.json([command] + ids).count == 2)
            for id in ids { #expect(try bench.position(id) == (position, 1)) }
        }
    }

    @Test("show prints whether the original is stored, referenced, missing or changed")
    func place() throws {
        let path = try bench.picture()
        let id = try #require(
            try bench.json("import", "--reference", path).first?["id"] as? String)
        let stored = try bench.importPicture(seed: 1)
        func original(_ id: String) throws -> [String] {
            let object = try #require(
                try bench.json("show", id).first?["original"] as? [String: Any])
            return try ["state", "isLocal", "url"].map { "\(try #require(object[$0]))" }
        }
        let url = "file://\(path)"
        #expect(try original(stored) == ["stored", "1", "<null>"])
        #expect(try original(id) == ["referenced", "1", url])
        #expect(try bench.run("show", id).output.contains(", referenced: \(url)\n"))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try (bytes + Data([0])).write(to: URL(fileURLWithPath: path))
        #expect(try original(id) == ["changed", "0", url])
        try FileManager.default.removeItem(atPath: path)
        #expect(try original(id) == ["away", "0", url])
        #expect(try bench.run("show", id).output.contains(", missing: \(url)\n"))
    }

    @Test("import --move removes the file; --reference and --move are mutually exclusive")
    func move() throws {
        let path = try bench.picture()
        #expect(try bench.run("import", "--move", "--reference", path).status == 64)
        let moved = try bench.json("import", "--move", path)
        #expect(moved.map { $0["status"] as? String } == ["imported"])
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try bench.json("check", "--read-data", "100").last?["status"] as? String == "clean")
        // A file that one library stores cannot be moved into or referenced by another.
        let library = bench.folder.file("Photos.editlibrary")
        let other = ["--library", bench.folder.file("Other.editlibrary")]
        for method in ["--move", "--reference"] {
            let taken = try bench.run(["import", method, library + "/blobs", "--json"] + other)
            #expect(taken.status == 65 && taken.output.contains("inside, a library"))
        }
        #expect(try bench.json("check", "--read-data", "100").last?["status"] as? String == "clean")
    }

    /// Changes metadata in a file, as digiKam or Lightroom would.
    private func tag(_ path: String, _ tags: String...) throws {
        let tagged = try runProgram(
            "/usr/bin/env", ["exiftool", "-q", "-overwrite_original"] + tags + [path])
        try #require(tagged.status == 0, "\(tagged.errors)")
    }

    @Test("a referenced original keeps its edits after another program changed its metadata")
    func retagged() throws {
        let path = try bench.picture()
        let id = try #require(
            try bench.json("import", "--reference", path).first?["id"] as? String)
        #expect(try bench.run("edit", id, "--with", "sepia").status == 0)
        #expect(try bench.run("set", id, "--title", "mine").status == 0)
        try tag(path, "-XMP-xmp:Rating=4", "-XMP-dc:Title=theirs", "-XMP-dc:Subject=harbour")
        let rejected = try bench.run("edit", id, "--with", "sepia", "--set", "intensity=0.3")
        #expect(rejected.status == 65)
        let advice = "run edithost import --reference on it"
        #expect(rejected.errors.contains(advice), "\(rejected.errors)")
        let check = try bench.run("check", "--read-data", "100")
        #expect(check.status == 0 && check.output.contains(advice), "\(check)")
        let rows = try bench.json("import", "--reference", path)
        #expect(rows.first?["status"] as? String == "updated")
        #expect(rows.first?["id"] as? String == id)
        let shown = try #require(try bench.json("show", id).first)
        #expect(shown["rating"] as? Int == 4 && shown["title"] as? String == "mine")
        #expect(shown["keywords"] as? [String] == ["harbour"])
        #expect(try bench.json("list").count == 1)
        #expect(try bench.json("list", "--missing").isEmpty)
        #expect(try bench.position(id) == (1, 1))
        #expect(
            try bench.run("edit", id, "--with", "sepia", "--set", "intensity=0.3").status == 0)
        #expect(try bench.run("check", "--read-data", "100").status == 0)
        // A second import changes nothing.
        let again = try bench.json("import", "--reference", path)
        #expect(again.first?["status"] as? String == "duplicate")
        // Metadata that is changed again is recognised again.
        try tag(path, "-XMP-xmp:Rating=2")
        #expect(
            try bench.json("import", "--reference", "--again", path).first?["id"] as? String == id)
        #expect(try bench.json("show", id).first?["rating"] as? Int == 2)
    }

    @Test("other pixels or another orientation at the same path are a new photo")
    func replacedPixels() throws {
        let path = try bench.picture()
        let id = try #require(
            try bench.json("import", "--reference", path).first?["id"] as? String)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try tag(path, "-n", "-EXIF:Orientation=6")
        let turned = try bench.json("import", "--reference", path)
        #expect(turned.first?["status"] as? String == "imported")
        #expect(turned.first?["id"] as? String != id)
        try bytes.write(to: URL(fileURLWithPath: path))
        let same = try bench.json("import", "--reference", path)
        #expect(same.first?["status"] as? String == "duplicate")
        #expect(same.first?["id"] as? String == id)
        let other = try Data(
            contentsOf: URL(fileURLWithPath: bench.picture(seed: 7, name: "b.png")))
        try other.write(to: URL(fileURLWithPath: path))
        let replaced = try bench.json("import", "--reference", path)
        #expect(replaced.first?["status"] as? String == "imported")
    }

    @Test("a photo in the trash stays there when metadata of its referenced file is changed")
    func retaggedInTrash() throws {
        let path = try bench.picture()
        let id = try #require(
            try bench.json("import", "--reference", path).first?["id"] as? String)
        #expect(try bench.run("delete", id).status == 0)
        try tag(path, "-XMP-xmp:Rating=4")
        let folder = bench.folder.file("photos")
        let found = try bench.json("import", "--reference", folder)
        #expect(found.first?["status"] as? String == "duplicate")
        #expect(try bench.json("list").isEmpty)
        let named = try bench.json("import", "--reference", path)
        #expect(named.first?["status"] as? String == "restored")
        #expect(named.first?["id"] as? String == id)
        #expect(try bench.json("show", id).first?["rating"] as? Int == 4)
    }
}
