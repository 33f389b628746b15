// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `trash`, and of `delete` with it.
@Suite("the trash on the command line")
struct TrashCommandTests {
    private func ids(_ objects: [[String: Any]]) -> [String?] {
        objects.map { $0["id"] as? String }
    }

    @Test("a deleted photo comes back with edits, keywords, marks and its place in an album")
    func day() throws {
        let (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter"])
        _ = try bench.json("edit", ids[1], "--with", "sepia", "--set", "intensity=0.5")
        _ = try bench.json("set", ids[1], "--keyword", "beach", "--rating", "4")
        _ = try bench.json("favorite", ids[1])
        _ = try bench.json("album", "create", "Summer")
        _ = try bench.json("album", "add", "Summer", ids[2], ids[1], ids[0])
        func look() throws -> NSDictionary {
            var shown = try #require(try bench.json("show", ids[1]).first)
            shown["modificationDate"] = nil
            return shown as NSDictionary
        }
        func export(_ name: String) throws -> Data {
            let folder = bench.folder.file(name)
            let row = try #require(try bench.json("export", ids[1], "--to", folder).first)
            return try Data(contentsOf: URL(fileURLWithPath: #require(row["path"] as? String)))
        }
        let (before, picture) = (try look(), try export("before"))
        #expect(try bench.run("delete", ids[1]).status == 0)
        #expect(try Set(bench.listed()) == [ids[0], ids[2]])
        #expect(try bench.listed("--text", "beach") == [])
        #expect(try bench.listed("--album", "Summer") == [ids[2], ids[0]])
        #expect(try bench.json("album", "list").map { $0["count"] as? Int } == [2])
        let rows = try bench.json("trash", "list")
        #expect(self.ids(rows) == [ids[1]])
        #expect(rows[0]["trashedDate"] is String && rows[0]["removalDate"] is String)
        #expect(try bench.run("trash", "list").output.contains("30 days"))
        #expect(try bench.run("prune", "--empty-trash").status == 0)
        #expect(try bench.run("check", "--read-data", "100").status == 0)

        #expect(try bench.run("trash", "restore", String(ids[1].prefix(8))).status == 0)
        #expect(try look() == before)
        #expect(try bench.listed("--album", "Summer") == [ids[2], ids[1], ids[0]])
        #expect(try export("after") == picture)
        #expect(try bench.json("trash", "list").isEmpty)
        #expect(try bench.run("trash", "list").output.contains("the trash is empty"))
    }

    @Test(
        "commands say that a photo is in the trash, and how to restore it",
        arguments: [
            ["show", "ID"], ["favorite", "ID"], ["history", "ID"], ["undo", "ID"],
            ["export", "ID", "--to", "out"], ["edit", "ID", "--with", "sepia"],
            ["album", "add", "Summer", "ID"], ["delete", "ID"], ["resources", "ID"],
            ["image", "ID", "--output", "image.png"], ["rerender", "ID"],
        ])
    func told(command: [String]) throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        _ = try bench.json("album", "create", "Summer")
        _ = try bench.json("delete", ids[0])
        for name in [ids[0], String(ids[0].prefix(8))] {
            let result = try bench.run(command.map { $0 == "ID" ? name : $0 })
            #expect(result.status == 66, "\(result.errors)")
            #expect(
                result.errors.contains("edithost trash restore \(ids[0])"), "\(result.errors)")
        }
    }

    @Test("restore and empty take names in the trash, --all and standard input")
    func several() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        _ = try bench.json("delete", ids[0], ids[1])
        #expect(try bench.run("trash", "restore").status == 64)
        #expect(try bench.run("trash", "restore", ids[0], "--all").status == 64)
        let other = try bench.run("trash", "restore", ids[0], ids[2])
        #expect(other.status == 66 && other.errors.contains("in the trash"), "\(other.errors)")
        #expect(try bench.json("trash", "list").count == 2)
        #expect(Set(try self.ids(bench.json("trash", "restore", "--all"))) == [ids[0], ids[1]])
        #expect(try bench.json("trash", "restore", "--all").isEmpty)
        #expect(try bench.json("trash", "empty").isEmpty)
        _ = try bench.json(["delete"] + ids)
        let piped = try runProgram(
            "/bin/sh",
            [
                "-c", "printf '%s\\n' \(ids[0]) \(ids[1]) | \"$0\" trash restore -",
                Workbench.command,
            ],
            environment: bench.environment())
        #expect(piped.status == 0, "\(piped.errors)")
        #expect(try bench.listed().count == 2)
        #expect(try bench.json("trash", "empty", "--older-than", "1").isEmpty)
        #expect(try bench.run("trash", "empty", "--older-than", "-1").status == 64)
        #expect(try bench.json("trash", "empty").count == 1)
        #expect(try bench.json("trash", "list").isEmpty)
        #expect(try bench.run("check").status == 0)
    }

    @Test("single photos in the trash are removed for good")
    func single() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        _ = try bench.json("delete", ids[0], ids[1])
        let both = try bench.run("trash", "empty", ids[0], "--older-than", "0")
        #expect(both.status == 64 && both.errors.contains("not both"), "\(both.errors)")
        let other = try bench.run("trash", "empty", ids[0], ids[2])
        #expect(other.status == 66 && other.errors.contains("in the trash"), "\(other.errors)")
        #expect(try bench.json("trash", "list").count == 2)
        let nothing = try runProgram(
            "/bin/sh", ["-c", "\"$0\" trash empty - </dev/null", Workbench.command],
            environment: bench.environment())
        #expect(nothing.output.isEmpty, "\(nothing)")
        #expect(try bench.json("trash", "list").count == 2)
        #expect(try self.ids(bench.json("trash", "empty", String(ids[0].prefix(8)))) == [ids[0]])
        #expect(try self.ids(bench.json("trash", "list")) == [ids[1]])
        #expect(try bench.listed() == [ids[2]])
    }

    @Test("an import of a folder leaves deleted photos in the trash, and says so")
    func folders() throws {
        let (bench, ids) = try Workbench.withPhotos(2)
        _ = try bench.json("delete", ids[0])
        let folder = bench.folder.file("photos")
        for arguments in [["import", folder, "--dry-run"], ["import", folder]] {
            let result = try bench.run(arguments + ["--json"])
            let statuses = try result.objects.map { $0["status"] as? String }
            #expect(statuses == ["duplicate", "duplicate"], "\(arguments)")
            #expect(result.errors.contains("the photo is in the trash"), "\(result.errors)")
        }
        #expect(try bench.listed() == [ids[1]])
        let file = bench.folder.file("photos/picture0.png")
        let preview = try bench.json("import", file, "--dry-run")
        #expect(preview.map { $0["status"] as? String } == ["restored"])
        #expect(try bench.listed() == [ids[1]])
    }

    @Test("import --move of a folder leaves the files of photos in the trash")
    func moved() throws {
        let bench = try Workbench()
        try bench.write("a.jpg", width: 20)
        let first = try bench.json("import", "--move", bench.tree)
        _ = try bench.json("delete", try #require(first.first?["id"] as? String))
        try bench.write("a.jpg", width: 20)
        try bench.folder.write(Data("new".utf8), to: "tree/a.xmp")
        let planned = try bench.json("import", "--dry-run", bench.tree)
        #expect(planned.map { $0["status"] as? String } == ["duplicate", "skipped"])
        let rows = try bench.json("import", "--move", bench.tree)
        #expect(rows.map { $0["status"] as? String } == ["duplicate", "skipped"])
        let reason = try #require(rows.last?["error"] as? String)
        #expect(reason.contains("its photo is in the trash"))
        let files = FileManager.default
        #expect(try files.contentsOfDirectory(atPath: bench.tree).sorted() == ["a.jpg", "a.xmp"])
        // A file that is given by name restores its photo.
        _ = try bench.json("import", "--move", bench.tree + "/a.jpg")
        #expect(try files.contentsOfDirectory(atPath: bench.tree) == ["a.xmp"])
        #expect(try bench.listed().count == 1)
    }

    @Test("photos in the trash are counted by status, and cannot be selected by their smart album")
    func selections() throws {
        let (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter"])
        _ = try bench.json("edit", ids[0], ids[1], "--with", "sepia")
        _ = try bench.json("delete", ids[0])
        let status = try #require(try bench.json("status").first)
        #expect(status["photos"] as? Int == 2 && status["edited"] as? Int == 1)
        #expect(status["trashed"] as? Int == 1)
        for command in ["export --to out", "rerender", "dump", "undo", "delete", "hide"] {
            let words = command.split(separator: " ").map(String.init)
            let result = try bench.run(words + ["--album", "recently-deleted"])
            #expect(result.status == 64, "\(command): \(result.errors)")
            #expect(result.errors.contains("in the trash cannot be selected"), "\(result.errors)")
        }
        #expect(try bench.json("list", "--album", "recently-deleted").count == 1)
        // The deletion is undone first, then the edits, which are only those outside the trash.
        #expect(try bench.json("undo", "--last").map { $0["id"] as? String } == [ids[0]])
        _ = try bench.json("delete", ids[0])
        let entries = try bench.json("log")
        let edit = try #require(entries.first { $0["command"] as? String == "edit" })
        let undone = try bench.json("undo", #require(edit["entry"] as? String))
        let outcomes = Dictionary(
            uniqueKeysWithValues: undone.map { ($0["id"] as? String, $0["status"] as? String) })
        #expect(outcomes == [ids[0]: "trashed", ids[1]: "undone"])
    }

    @Test("importing a deleted file again restores its photo, and reports it once")
    func importing() throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        _ = try bench.json("delete", ids[0])
        let path = bench.folder.file("photos/picture0.png")
        let first = try bench.json("import", path)
        #expect(first.map { $0["status"] as? String } == ["restored"] && self.ids(first) == ids)
        #expect(try bench.position(ids[0]) == (1, 1))
        let second = try bench.json("import", path)
        #expect(second.map { $0["status"] as? String } == ["duplicate"])
        _ = try bench.json("delete", ids[0])
        #expect(try bench.run("import", path).output.contains("1 restored"))
    }

    @Test("at a terminal, deleting several photos or for good asks first; --yes answers")
    func asking() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        let refused = try RunningCommand(bench, atTerminal: true, ["delete", ids[0], ids[1]])
        try refused.waitFor("Move 2 photos to the trash? [y/N]")
        refused.type("n")
        #expect(try refused.status() == 130)
        #expect(try bench.listed().count == 3)
        let one = try RunningCommand(bench, atTerminal: true, ["delete", ids[0]])
        #expect(try one.status() == 0)
        let two = try RunningCommand(bench, atTerminal: true, ["delete", ids[1], ids[2]])
        try two.waitFor("[y/N]")
        two.type("y")
        #expect(try two.status() == 0)
        let kept = try RunningCommand(bench, atTerminal: true, ["trash", "empty"])
        try kept.waitFor("Remove 3 photos and all edits for good? This cannot be undone. [y/N]")
        kept.type("")
        #expect(try kept.status() == 130)
        let all = try RunningCommand(bench, atTerminal: true, ["trash", "empty", "--yes"])
        #expect(try all.status() == 0)
        #expect(try bench.json("trash", "list").isEmpty)
    }

    @Test("at a terminal, deleting an album or a folder with contents asks first")
    func askingForAlbums() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        _ = try bench.json("album", "create", "Empty")
        _ = try bench.json("album", "folder", "create", "Folder")
        _ = try bench.json("album", "create", "Full", "--folder", "Folder")
        _ = try bench.json("album", "add", "Full", ids[0])
        let empty = try RunningCommand(bench, atTerminal: true, ["album", "delete", "Empty"])
        #expect(try empty.status() == 0)
        for (command, question) in [
            (["album", "delete", "Full"], "Delete 1 album with 1 photo?"),
            (["album", "folder", "delete", "Folder"], "Delete 1 folder with all albums"),
        ] {
            let refused = try RunningCommand(bench, atTerminal: true, command)
            try refused.waitFor(question)
            refused.type("no")
            #expect(try refused.status() == 130)
        }
        // The folder and the album in it.
        #expect(try bench.json("album", "list").count == 2)
        // Scripts are not asked.
        #expect(try bench.run("album", "folder", "delete", "Folder").status == 0)
        #expect(try bench.json("album", "list").isEmpty)
    }
}
