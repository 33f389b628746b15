// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Repeated exports into the same folder.
@Suite("incremental exports")
struct ExportAgainTests: ExportingTests {
    let bench: Workbench
    private let ids: [String]
    let folder: String

    init() throws {
        (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter"])
        folder = bench.folder.file("out")
    }

    private func reasons(_ arguments: String...) throws -> [String] {
        try bench.json(["export", "--to", folder] + ids + arguments)
            .compactMap { $0["reason"] as? String }
    }

    private var record: String { folder + "/.edithost-export.jsonl" }

    @Test("a second export writes nothing; after one edit it replaces one file")
    func again() throws {
        #expect(try reasons() == ["new", "new", "new"])
        let first = try files()
        let recorded = try Data(contentsOf: URL(fileURLWithPath: record))
        #expect(first.count == 3)
        #expect(try reasons() == ["unchanged", "unchanged", "unchanged"])
        #expect(try files() == first)
        #expect(try Data(contentsOf: URL(fileURLWithPath: record)) == recorded)

        _ = try bench.json("edit", ids[1], "--with", "sepia")
        #expect(try reasons() == ["unchanged", "content", "unchanged"])
        let second = try files()
        #expect(Set(second.keys) == Set(first.keys))
        #expect(second.filter { first[$0.key] != $0.value }.count == 1)
        _ = try bench.json("undo", ids[1])
        #expect(try reasons() == ["unchanged", "content", "unchanged"])
        #expect(try files() == first)
    }

    @Test("metadata, settings and missing files are also reasons to export")
    func others() throws {
        #expect(try reasons("--metadata", "library") == ["new", "new", "new"])
        _ = try bench.json("set", ids[0], "--title", "A")
        #expect(try reasons("--metadata", "library") == ["metadata", "unchanged", "unchanged"])
        #expect(try reasons("--metadata", "original") == ["settings", "settings", "settings"])
        let before = try files()
        let name = try #require(before.keys.sorted().first)
        #expect(unlink(folder + "/" + name) == 0)
        let again = try reasons("--metadata", "original")
        #expect(again.sorted() == ["missing", "unchanged", "unchanged"])
        #expect(try files() == before)
        #expect(
            try reasons("--metadata", "original", "--overwrite", "always")
                == ["always", "always", "always"])
        #expect(try files() == before)
        // A file in another format does not replace the earlier one.
        #expect(try reasons("--format", "png").allSatisfy { $0 == "new" })
        #expect(try files().count == 6)
        _ = try bench.json("edit", ids[2], "--with", "sepia")
        #expect(
            try reasons("--metadata", "original", "--overwrite", "never")
                == ["unchanged", "unchanged", "kept"])
    }

    @Test("a file created or changed by another program is never touched and is reported")
    func foreign() throws {
        let names = try export(ids[0], ids[1]).compactMap { $0["path"] as? String }
            .map { URL(fileURLWithPath: $0).lastPathComponent }
        try #require(names.count == 2)
        try write("mine", to: names[0])
        let same = try bench.run("export", ids[0], "--to", folder)
        #expect(same.status == 0 && same.errors.contains("modified since it was exported"))
        #expect(same.output.isEmpty)
        for id in ids { _ = try bench.json("edit", id, "--with", "sepia") }
        let again = try bench.run("export", ids[0], "--to", folder)
        #expect(again.errors.contains("the earlier file \(folder)/\(names[0])"), "\(again.errors)")
        #expect(try files()[names[0]] == Data("mine".utf8))
        #expect(try files().count == 3)
        // A symbolic link in place of an exported file is foreign too, and is not followed.
        let victim = bench.folder.file("victim")
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: victim))
        #expect(unlink(folder + "/" + names[1]) == 0)
        #expect(symlink(victim, folder + "/" + names[1]) == 0)
        let linked = try export(ids[1])
        #expect(linked[0]["reason"] as? String == "content")
        #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data("theirs".utf8))
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + names[1])
                == victim)
    }

    @Test("a lost rendition, and its re-rendering, do not change an exported picture")
    func lostRendition() throws {
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        _ = try export(ids[0])
        let before = try files()
        let rendition = try #require(
            bench.json("resources", ids[0]).first { $0["type"] as? String == "fullSizePhoto" })
        let hash = try #require(rendition["hash"] as? String)
        let blob = "\(bench.library)/blobs/\(hash.prefix(2))/\(hash)"
        #expect(unlink(blob) == 0)
        #expect(try export(ids[0])[0]["reason"] as? String == "unchanged")
        _ = try bench.json("rerender", ids[0])
        #expect(access(blob, F_OK) == 0)
        #expect(try export(ids[0])[0]["reason"] as? String == "unchanged")
        #expect(try files() == before)
    }

    @Test(
        "a photo now converted and copied before is reported as exported differently"
    )
    func converted() throws {
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        _ = try export(ids[0])
        let lines = try export(ids[0], "--size", "20x20")
        #expect(lines[0]["reason"] as? String == "settings", "\(lines)")
        let again = try export(ids[0])
        #expect(again[0]["reason"] as? String == "settings", "\(again)")
    }

    @Test("-prune removes files no longer selected if they are unchanged")
    func prune() throws {
        let names = try reasons()
        #expect(names.count == 3)
        let all = try files().keys.sorted()
        try write("mine", to: "other.jpg")
        let lines = try export(ids[0])
        #expect(lines.count == 1 && lines[0]["reason"] as? String == "unchanged")
        #expect(try files().count == 4)
        let kept = try #require(lines[0]["path"] as? String)
        let changed = try #require(all.first { !kept.hasSuffix("/" + $0) })
        try write("mine", to: changed)
        let result = try bench.run("export", ids[0], "--to", folder, "--prune", "--explain")
        #expect(result.status == 0)
        #expect(result.output.contains("\(kept): unchanged"), "\(result.output)")
        #expect(result.output.contains("removed "), "\(result.output)")
        #expect(result.errors.contains("\(changed): kept: modified since it was exported"))
        #expect(try files().count == 3)
        #expect(try files()["other.jpg"] == Data("mine".utf8))
        #expect(try files()[changed] == Data("mine".utf8))
        // From now on the kept file counts as foreign.
        #expect(try reasons().sorted() == ["new", "new", "unchanged"])
        #expect(try files()[changed] == Data("mine".utf8))
    }

    @Test(
        "a damaged record, or one pointing outside, is rejected with 65; nothing is written")
    func damaged() throws {
        _ = try reasons()
        let good = try String(contentsOfFile: record, encoding: .utf8)
        let before = try files()
        let name = try #require(before.keys.sorted().first)
        let bad = [
            "no record\n", "no record", "", "{\"export\":1}",
            good.replacingOccurrences(of: name, with: String(repeating: "n", count: 256)),
            good.replacingOccurrences(of: "{\"export\":2", with: "{\"export\":3"),
            good.replacingOccurrences(of: name, with: "../x"), good + "{\n",
            good.replacingOccurrences(of: "\"name\":\"\(name)\"", with: "\"name\":\"..\""),
            good.replacingOccurrences(of: name, with: "a\\u0000b"),
        ]
        for text in bad {
            try write(text, to: ".edithost-export.jsonl")
            for arguments in [[], ["--prune"], ["--overwrite", "always"]] {
                let result = try bench.run(["export", ids[0], "--to", folder] + arguments)
                #expect(result.status == 65, "\(text): \(result.errors)")
                #expect(result.errors.contains(".edithost-export.jsonl"), "\(result.errors)")
            }
        }
        #expect(try files() == before)
        // A line truncated by a kill is not damage.
        try write(good + "{\"files\":[{\"ha", to: ".edithost-export.jsonl")
        #expect(try reasons() == ["unchanged", "unchanged", "unchanged"])
        #expect(try reasons("--overwrite", "always") == ["always", "always", "always"])
        #expect(try reasons() == ["unchanged", "unchanged", "unchanged"])
        // A FIFO does not block the export, and a symbolic link is not followed.
        #expect(unlink(record) == 0 && mkfifo(record, 0o600) == 0)
        #expect(try bench.run("export", ids[0], "--to", folder).status == 65)
        #expect(unlink(record) == 0 && symlink(bench.folder.file("x"), record) == 0)
        #expect(try bench.run("export", ids[0], "--to", folder).status == 65)
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("x")))
    }

    @Test("a killed export leaves a record from which the next one completes")
    func killed() throws {
        _ = try reasons()
        let first = try files()
        let before = try String(contentsOfFile: record, encoding: .utf8)
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        _ = try reasons()
        let second = try files()
        // Killed after the line was written, before the file got its final name.
        let name = try #require(first.keys.first { first[$0] != second[$0] })
        let old = try #require(first[name])
        try old.write(to: URL(fileURLWithPath: folder + "/" + name))
        #expect(try reasons() == ["interrupted", "unchanged", "unchanged"])
        #expect(try files() == second)
        // Killed before either was done: the old record still holds.
        try old.write(to: URL(fileURLWithPath: folder + "/" + name))
        try write(before, to: ".edithost-export.jsonl")
        #expect(try reasons() == ["content", "unchanged", "unchanged"])
        #expect(try files() == second)
    }

    @Test("a killed export never leaves an unfinished file in the folder")
    func killedAnywhere() throws {
        let library = try PreloadedFaults.build()
        let counter = bench.folder.file("count")
        func run(_ folder: String, _ faults: [String: String]) throws -> ProcessResult {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            var environment = bench.environment()
            environment["LD_PRELOAD"] = library
            environment["FAULT_ROOT"] = folder
            environment.merge(faults) { $1 }
            return try runProgram(
                Workbench.command, ["export", ids[0], ids[1], "--to", folder],
                environment: environment, folder: bench.folder.path)
        }
        let whole = try run(folder, ["FAULT_COUNT": counter])
        try #require(whole.status == 0, "\(whole.errors)")
        let expected = try files()
        let count = try #require(
            Int(
                String(contentsOfFile: counter, encoding: .utf8)
                    .trimmingCharacters(in: .newlines)))
        for number in 1...count {
            let path = bench.folder.file("killed-\(number)")
            _ = try run(path, ["FAULT_KIND": "kill", "FAULT_AT": "\(number)"])
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            let own = expected.keys + [".edithost-export.jsonl"]
            #expect(names.filter { !own.contains($0) } == [], "\(number)")
            #expect(try bench.run("export", ids[0], ids[1], "--to", path).status == 0)
            for (name, bytes) in expected {
                #expect(
                    try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)) == bytes,
                    "\(number) \(name)")
            }
        }
    }

    @Test("concurrent exports into one folder do not mix, and none writes into the library")
    func together() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        let busy = try bench.run("export", ids[0], "--to", folder)
        #expect(busy.status == 75 && busy.errors.contains("another export"), "\(busy.errors)")
        #expect(flock(descriptor, LOCK_UN) == 0)
        #expect(try reasons() == ["new", "new", "new"])
        let library = bench.folder.file("Photos.editlibrary")
        let (other, backup) = (bench.folder.file("Other.editlibrary"), bench.folder.file("backup"))
        #expect(try bench.run("backup", backup).status == 0)
        #expect(try bench.run("restore", backup, "--library", other).status == 0)
        for inside in [
            library, library + "/blobs", library + "/new/folder", other + "/blobs", backup + "/new",
            bench.folder.file("none/../Other.editlibrary/new"),
            bench.folder.file("none/./deeper//../../backup"),
        ] {
            let result = try bench.run("export", ids[0], "--to", inside)
            #expect(
                result.status == 64 && result.errors.contains("is inside a library"), "\(inside)")
        }
        for inside in [other + "/blobs/b", other + "/new", backup + "/new"] {
            let result = try bench.run("backup", inside)
            #expect(
                result.status != 0 && result.errors.contains("is inside another"),
                "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: inside))
        }
        #expect(try bench.run("backup", backup).status == 0)
        #expect(try bench.run("check", "--library", other).status == 0)
        // `backup.json` alone does not make a folder a backup.
        try Data("{}".utf8).write(to: URL(fileURLWithPath: bench.folder.file("backup.json")))
        #expect(try bench.run("export", ids[0], "--to", bench.folder.file("plain")).status == 0)
        #expect(try bench.run("backup", bench.folder.file("second")).status == 0)
        let link = bench.folder.file("link")
        #expect(symlink(library, link) == 0)
        for inside in [link, link + "/new", link + "/new/folder"] {
            #expect(try bench.run("export", ids[0], "--to", inside).status == 64, "\(inside)")
        }
        #expect(!FileManager.default.fileExists(atPath: library + "/new"))
    }

    @Test("identical existing files are neither rewritten nor touched")
    func present() throws {
        #expect(try reasons() == ["new", "new", "new"])
        let names = try files().keys.sorted()
        let first = try files()
        let header = try String(contentsOfFile: record, encoding: .utf8).prefix { $0 != "\n" }
        // After a power failure: only the first line of the record remains.
        try write(header + "\n", to: ".edithost-export.jsonl")
        try write("mine", to: names[2])
        #expect(try reasons() == ["present", "present", "new"])
        #expect(try files().keys.sorted() == (names + ["picture2-1.png"]).sorted())
        #expect(try reasons() == ["unchanged", "unchanged", "unchanged"])
        let explained = try bench.run(
            ["export", "--to", folder, "--explain", "--overwrite", "always"] + ids)
        #expect(
            explained.output.contains("\(names[0]): unchanged: an identical file was already there")
        )
        // Neither an edit nor `--prune` replaces a file that no export of this record wrote.
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        let edited = try bench.run("export", ids[0], "--to", folder)
        #expect(edited.output == "\(folder)/picture0-1.png\n", "\(edited.output)")
        #expect(edited.errors.contains("\(names[0]) was not written by an export, and was kept"))
        _ = try export(ids[0], "--prune")
        let left = try files()
        #expect(left.keys.sorted() == (names + ["picture0-1.png"]).sorted())
        #expect(left[names[0]] == first[names[0]] && left[names[1]] == first[names[1]])
        #expect(left[names[2]] == Data("mine".utf8))
        // A symbolic link to an identical file does not count as one.
        #expect(unlink(folder + "/" + names[1]) == 0)
        let target = bench.folder.file("target.png")
        try first[names[1]]?.write(to: URL(fileURLWithPath: target))
        #expect(symlink(target, folder + "/" + names[1]) == 0)
        #expect(try export(ids[1])[0]["path"] as? String == folder + "/picture1-1.png")
    }

    @Test("export refuses folders inside any library or backup")
    func inside() throws {
        let library = bench.folder.file("Photos.editlibrary")
        let (other, backup) = (bench.folder.file("Other.editlibrary"), bench.folder.file("backup"))
        #expect(try bench.run("backup", backup).status == 0)
        #expect(try bench.run("restore", backup, "--library", other).status == 0)
        for place in [library, other + "/blobs", backup] {
            let commands = [
                ["image", ids[0], "--output", place + "/a.png"],
                ["image", ids[0], "--to", place + "/new"],
                ["preview", ids[0], "--with", "sepia", "--output", place + "/a.png"],
                ["resources", ids[0], "--type", "photo", "--output", place + "/a.png"],
                ["preset", "export", "faded", place + "/new"],
                ["image", ids[0], "--contact-sheet", place + "/a.svg"],
                ["image", ids[0], "--contact-sheet", place + "/a.jpg"],
                ["convert-live", "a.jpg", "--to", "pair", "--output", place + "/new"],
                ["restore", backup, "--library", place + "/new"],
            ]
            for command in commands {
                let result = try bench.run(command)
                #expect(result.status != 0 && result.errors.contains("inside"), "\(result.errors)")
            }
            for name in ["a.png", "new", "a.svg", "a.jpg"] {
                #expect(!FileManager.default.fileExists(atPath: "\(place)/\(name)"))
            }
        }
        let file = bench.folder.file("file")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
        let onto = try bench.run("backup", file)
        #expect(onto.status != 0 && onto.errors.contains("a regular file, not a folder"), "\(onto)")
        let below = try bench.run("export", ids[0], "--to", file + "/new")
        #expect(below.status == 73, "\(below.errors)")
        #expect(
            below.errors.contains("file/new cannot be created: Not a directory"), "\(below.errors)")
    }

    @Test("a name taken by another photo since the last export stays with that photo")
    func takenNames() throws {
        let twin = try bench.importPicture(seed: 9, name: "picture0.png")
        #expect(try export(ids[0])[0]["path"] as? String == folder + "/picture0.png")
        #expect(unlink(folder + "/picture0.png") == 0)
        #expect(try export(twin)[0]["path"] as? String == folder + "/picture0.png")
        let again = try export(ids[0])
        #expect(again[0]["reason"] as? String == "missing")
        #expect(again[0]["path"] as? String == folder + "/picture0-1.png")
        #expect(
            try bench.json("export", "--to", folder, ids[0], twin).allSatisfy {
                $0["reason"] as? String == "unchanged"
            })
        // Two versions of one photo with the same bytes, exported serially.
        #expect(unlink(folder + "/picture0.png") == 0)
        #expect(try export(twin, "--version", "original")[0]["reason"] as? String == "new")
        let pruned = try bench.json(
            "export", twin, "--version", "original", "--prune", "--to", folder)
        #expect(pruned[0]["reason"] as? String == "unchanged")
        #expect(pruned.dropFirst().map { $0["path"] as? String } == [folder + "/picture0-1.png"])
        #expect(try files().keys.sorted() == ["picture0.png"])
    }

    @Test("-prune removes the file that an interrupted rename left under the old name")
    func leaving() throws {
        func quality(_ number: Int) -> [String] { ["--format", "jpeg", "--quality", "\(number)"] }
        for number in 20..<40 {
            _ = try bench.json(["export", ids[0], "--to", folder] + quality(number))
        }
        let path = folder + "/picture0.jpg"
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        _ = try bench.json(["export", ids[0], "--to", folder] + quality(40))
        // Killed before the file got its final name: the previous file remains.
        try before.write(to: URL(fileURLWithPath: path))
        let again = try bench.json(["export", ids[0], "--to", folder] + quality(40))
        #expect(again[0]["reason"] as? String == "interrupted")
        // Killed before the old file was removed. The record's last line, which reports the
        // removal, is dropped.
        _ = try bench.json(
            ["export", ids[0], "--to", folder, "--name", "old"] + quality(40))
        let old = try Data(contentsOf: URL(fileURLWithPath: folder + "/old.jpg"))
        _ = try bench.json(["export", ids[0], "--prune", "--to", folder] + quality(40))
        #expect(try files().keys.sorted() == ["picture0.jpg"])
        try old.write(to: URL(fileURLWithPath: folder + "/old.jpg"))
        let lines = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n")
        #expect(lines[lines.count - 1].contains("\"leaving\":[]"))
        #expect(lines[lines.count - 2].contains("\"name\":\"old.jpg\""))
        try write(
            lines.dropLast().joined(separator: "\n") + "\n", to: ".edithost-export.jsonl")
        _ = try bench.json(["export", ids[0], "--to", folder] + quality(40))
        #expect(try files().keys.sorted() == ["old.jpg", "picture0.jpg"])
        _ = try bench.json(["export", ids[0], "--prune", "--to", folder] + quality(40))
        #expect(try files().keys.sorted() == ["picture0.jpg"])
    }

    @Test("-overwrite never reports changed, missing and kept files")
    func never() throws {
        #expect(try reasons() == ["new", "new", "new"])
        let names = try files().keys.sorted()
        try write("mine", to: names[0])
        #expect(unlink(folder + "/" + names[1]) == 0)
        _ = try bench.json("edit", ids[2], "--with", "sepia")
        #expect(try reasons("--overwrite", "never") == ["foreign", "missing", "kept"])
        #expect(try files()[names[0]] == Data("mine".utf8))
    }

    @Test(
        "-prune with an empty selection removes nothing and does not report missing files")
    func pruneNothing() throws {
        #expect(try reasons() == ["new", "new", "new"])
        let none = try runProgram(
            "/bin/sh",
            ["-c", "\"$0\" export - --to \"$1\" --prune </dev/null", Workbench.command, folder],
            environment: bench.environment(), folder: bench.folder.path)
        #expect(none.status == 64, "\(none.errors)")
        #expect(try files().count == 3)
        let names = try files().keys.sorted()
        #expect(unlink(folder + "/" + names[0]) == 0)
        let lines = try bench.json("export", ids[2], "--prune", "--to", folder)
        #expect(lines.dropFirst().map { $0["path"] as? String } == [folder + "/" + names[1]])
    }

    @Test("the files of a Live Photo are replaced together")
    func livePhoto() throws {
        let pair = bench.folder.file("pair")
        try FileManager.default.createDirectory(atPath: pair, withIntermediateDirectories: true)
        let identifier = UUID().uuidString
        try TestLivePhoto.makeStill(pair + "/IMG_1.jpg", identifier)
        try TestLivePhoto.makeVideo(pair + "/IMG_1.mov", identifier)
        let id = try #require(try bench.json("import", pair).last?["id"] as? String)
        #expect(try export(id)[0]["reason"] as? String == "new")
        let first = try files()
        #expect(first.count == 2)
        _ = try bench.json("edit", id, "--with", "sepia")
        #expect(try export(id)[0]["reason"] as? String == "content")
        let second = try files()
        #expect(Set(second.keys) == Set(first.keys))
        #expect(first.allSatisfy { second[$0.key] != $0.value })
        _ = try bench.json("edit", id, "--with", "sepia", "--still-only", "--reset")
        // The edit removes the motion, so the export removes the video file.
        #expect(try export(id)[0]["reason"] as? String == "content")
        #expect(try files().count == 1)
        #expect(try export(id)[0]["reason"] as? String == "unchanged")
    }
}
