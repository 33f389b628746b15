// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The journal on the command line: `log`, and `undo` of its entries.
@Suite("the journal on the command line")
struct JournalCommandTests {
    private let bench: Workbench
    private let ids: [String]

    init() throws {
        let (template, ids) = try Self.template.get()
        bench = try Workbench(extensions: ["SepiaFilter"])
        self.ids = ids
        for name in ["photos", "Photos.editlibrary"] {
            let copied = try runProgram(
                "/bin/cp", ["-a", "\(template)/\(name)", bench.folder.path])
            try #require(copied.status == 0, "\(copied.errors)")
        }
    }

    /// A folder with the library that each test copies, and the identifiers of its photos.
    private static let template = Result { () throws -> (String, [String]) in
        let (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter"])
        _ = try bench.json("set", ids[0], "--date", "2024-05-01")
        _ = try bench.json("set", ids[0], ids[1], "--keyword", "sea", "--rating", "3")
        _ = try bench.json("album", "folder", "create", "Trips")
        _ = try bench.json("album", "create", "Summer", "--folder", "Trips")
        _ = try bench.json("album", "add", "Summer", ids[1], ids[0])
        _ = try bench.json("edit", ids[0], ids[1], "--with", "sepia", "--set", "intensity=0.4")
        _ = try bench.json("version", "save", ids[0], "--name", "best")
        _ = try bench.json("edit", ids[0], "--with", "sepia", "--set", "intensity=0.8")
        _ = try bench.json("set", ids[2], "--title", "Deleted")
        _ = try bench.json("delete", ids[2])
        let folder = try TemporaryFolder.untilExit()
        for name in ["photos", "Photos.editlibrary"] {
            try FileManager.default.moveItem(
                atPath: bench.folder.file(name), toPath: "\(folder)/\(name)")
        }
        return (folder, ids)
    }

    /// Everything that a user sees of the library: photos, albums with their order, and the trash. States that can be
    /// redone, and modification dates, are left out.
    private func look() throws -> NSArray {
        var rows: [[String: Any]] = []
        for var row in try bench.json("dump", "--all") {
            let id = try #require(row["id"] as? String)
            row["modificationDate"] = nil
            row["states"] = nil
            // Those of all states.
            row["edits"] = try bench.json("show", id)[0]["edits"]
            rows.append(row)
        }
        let albums = try bench.json("album", "list")
        rows += albums
        for album in albums where album["kind"] as? String == "album" {
            let id = try #require(album["id"] as? String)
            rows.append(["members": try bench.listed("--album", id)])
        }
        rows += try bench.json("trash", "list").map { ["trashed": $0["id"] ?? ""] }
        return rows as NSArray
    }

    @Test(
        "each command is taken back, and the undo too",
        arguments: [
            "set 0 1 --rating 5 --title T --description D --label Red --location 47.5,8.25",
            "set 0 --date 2024-05-31T12:00:00+02:00", "set 0 --shift +1d",
            "set 0 --keyword beach --remove-keyword sea", "favorite 0 1", "hide 0",
            "keyword rename sea lake", "keyword merge sea pond", "keyword remove sea",
            "album create Winter", "album rename Summer Winter", "album remove Summer 1",
            "album move Summer 0 --to-start", "album cover Summer 0", "album delete Summer",
            "album folder create Other", "album folder rename Trips Journeys",
            "album folder put Summer --top", "album folder delete Trips", "delete 0 1",
            "trash restore 2", "edit 0 1 --with sepia --set intensity=0.9", "undo 0", "revert 0 1",
            "version use 0 --name best", "copy-edits 0 1 --replace", "edits disable 0 1",
        ])
    func commands(line: String) throws {
        let words = line.split(separator: " ").map(String.init).map { word in
            ["0", "1", "2"].firstIndex(of: word).map { ids[$0] } ?? word
        }
        // The number of an edit, not that of a photo.
        let command = line.hasPrefix("edits") ? words.dropLast() + ["1"] : words
        let before = try look()
        _ = try bench.json(command)
        let after = try look()
        #expect(before != after)
        let entry = try #require(try bench.json("log", "--limit", "1").first?["entry"] as? String)
        let undo = line.hasPrefix("undo") ? entry : "--last"
        let planned = try bench.run("undo", undo, "--dry-run", "--json")
        let rows = try bench.json("undo", undo)
        #expect(rows.allSatisfy { $0["status"] as? String == "undone" }, "\(rows)")
        func withoutDryRun(_ rows: [[String: Any]]) -> NSArray {
            rows.map { $0.filter { $0.key != "dryRun" } } as NSArray
        }
        #expect(try withoutDryRun(planned.objects) == withoutDryRun(rows))
        #expect(try look() == before)
        let last = try #require(try bench.json("log", "--limit", "1").first)
        #expect(last["undoes"] as? String == entry)
        _ = try bench.json("undo", #require(last["entry"] as? String))
        #expect(try look() == after)
        #expect(try bench.run("check").status == 0)
    }

    @Test("an import of several files is one entry, whose photos move to the trash")
    func imported() throws {
        for name in ["a", "b"] {
            _ = try bench.picture(seed: name == "a" ? 11 : 12, name: "tree/trip/\(name).png")
        }
        let tree = bench.folder.file("photos/tree")
        let albums = try bench.json("album", "list").count
        #expect(try bench.json("import", tree, "--albums", "folders").count == 2)
        let entry = try #require(try bench.json("log").first)
        #expect(entry["command"] as? String == "import")
        #expect(entry["photos"] as? Int == 2)
        #expect(try bench.json("album", "list").count > albums)
        _ = try bench.json("undo", "--last")
        #expect(try bench.json("album", "list").count == albums)
        #expect(try bench.json("trash", "list").count == 3)
        #expect(try Set(bench.listed()) == Set(ids[..<2]))
    }

    @Test("photos edited one by one by a command are undone together")
    func keepGoing() throws {
        _ = try bench.json(
            "edit", ids[0], ids[1], "--keep-going", "--with", "sepia", "--set", "intensity=0.6")
        let entry = try #require(try bench.json("log", "--limit", "1").first)
        #expect(entry["photos"] as? Int == 2 && entry["command"] as? String == "edit")
        #expect(try bench.json("undo", "--last").count == 2)
        #expect(try bench.position(ids[0]).current == 2)
        #expect(try bench.position(ids[1]).current == 1)
    }

    @Test("what has changed since is left and reported, and the status is 0")
    func changedSince() throws {
        _ = try bench.json("set", ids[0], ids[1], "--rating", "5", "--label", "Red")
        let entry = try #require(try bench.json("log", "--limit", "1").first?["entry"] as? String)
        _ = try bench.json("set", ids[0], "--rating", "1")
        let result = try bench.run("undo", entry)
        #expect(result.status == 0)
        #expect(
            result.errors.contains("left rating of picture0.png (\(ids[0].prefix(8)))"),
            "\(result.errors)")
        #expect(result.output.contains(entry) && result.output.contains("label"))
        let rows = try bench.json("dump", ids[0], ids[1])
        #expect(rows.map { $0["rating"] as? Int } == [1, 3])
        #expect(rows.allSatisfy { $0["label"] is NSNull })
        let nothing = try bench.run("undo", entry)
        #expect(nothing.status == 0 && nothing.errors.contains("nothing to undo"), "\(nothing)")
    }

    @Test("newer commands that --last cannot undo are named")
    func skipped() throws {
        _ = try bench.json("set", ids[0], "--rating", "5")
        _ = try bench.json("trash", "empty")
        let entry = try #require(try bench.json("log", "--limit", "1").first?["entry"] as? String)
        for options in [["--dry-run"], []] {
            let result = try bench.run(["undo", "--last"] + options)
            #expect(result.status == 0)
            #expect(
                result.errors.contains("skipped \(entry) trash empty: nothing to restore"),
                "\(result.errors)")
        }
        #expect(try bench.json("dump", ids[0])[0]["rating"] as? Int == 3)
    }

    @Test("photos that were removed for good are counted")
    func removed() throws {
        _ = try bench.json("trash", "empty")
        let entry = try #require(try bench.json("log", "--limit", "1").first)
        #expect(entry["command"] as? String == "trash empty" && entry["canUndo"] as? Bool == false)
        let result = try bench.run("undo", try #require(entry["entry"] as? String))
        #expect(result.status == 0)
        #expect(result.errors.contains("1 photo was removed for good"), "\(result.errors)")
    }

    @Test("the log names commands, counts what they changed, and marks undone entries")
    func log() throws {
        _ = try bench.json("undo", "--last")
        let rows = try bench.json("log")
        let commands = rows.compactMap { $0["command"] as? String }
        #expect(
            Array(commands.prefix(6))
                == ["undo", "delete", "set", "edit", "version save", "edit"])
        #expect(commands.contains("album folder create"))
        #expect(rows[0]["undoes"] as? String == rows[1]["entry"] as? String)
        #expect(rows[1]["isUndone"] as? Bool == true && rows[0]["isUndone"] as? Bool == false)
        #expect(rows[5]["photos"] as? Int == 2 && rows[5]["albums"] as? Int == 0)
        let table = try bench.run("log", "--limit", "2").output
        #expect(table.split(separator: "\n").count == 3 && table.contains("undone"), "\(table)")
        #expect(try bench.json("log", "--limit", "0").count == rows.count)
        #expect(try bench.run("log", "--limit=-1").status == 64)
        let empty = try Workbench()
        #expect(try empty.run("log").status == 65)
    }

    @Test("commands of another process in between are separate entries")
    func processes() throws {
        let program = """
            "$0" set \(ids[0]) --rating 4 & "$0" set \(ids[1]) --rating 5 & wait
            """
        let result = try runProgram(
            "/bin/sh", ["-c", program, Workbench.command], environment: bench.environment())
        #expect(result.status == 0, "\(result.errors)")
        let entries = try bench.json("log", "--limit", "2")
        #expect(entries.map { $0["photos"] as? Int } == [1, 1])
        for _ in 0..<2 { _ = try bench.json("undo", "--last") }
        let rows = try bench.json("dump", ids[0], ids[1])
        #expect(rows.map { $0["rating"] as? Int } == [3, 3])
    }
}
