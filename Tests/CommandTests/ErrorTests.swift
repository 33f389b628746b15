// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The exit status of each failure, and the name of the affected object in its message.
@Suite("errors")
struct ErrorTests {
    @Test("M-07 edit exits 0; unknown plug-in, asset and parameter have status and message")
    func edit() throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        let id = ids[0]
        let done = try bench.run("edit", id, "--with", "sepia", "--set", "intensity=0.5")
        #expect(done.status == 0, "\(done.errors)")
        #expect(try bench.position(id) == (1, 1))
        let cases: [(arguments: [String], status: Int32, words: [String])] = [
            ([id, "--with", "vignette"], 69, ["\"vignette\"", "org.edithost.sepia"]),
            (["ffffffff", "--with", "sepia"], 66, ["ffffffff", "no such asset"]),
            (["not-hex", "--with", "sepia"], 66, ["not-hex", "no such asset"]),
            ([id, "--with", "sepia", "--set", "strength=1"], 64, ["strength", "intensity"]),
            ([id, "--with", "sepia", "--set", "intensity=1.5"], 64, ["intensity", "0 to 1"]),
            ([id, "--with", "sepia", "--set", "intensity=-1"], 64, ["intensity", "0 to 1"]),
            ([id, "--with", "sepia", "--set", "intensity=nan"], 64, ["intensity"]),
            ([id, "--with", "sepia", "--set", "intensity=much"], 64, ["intensity", "a number"]),
            ([id, "--with", "sepia", "--set", "intensity="], 64, ["intensity", "a number"]),
            ([id, "--with", "sepia", "--step", "2"], 64, ["no edit 2"]),
        ]
        for (arguments, status, words) in cases {
            let result = try runProgram(
                Workbench.command, ["edit"] + arguments, environment: bench.environment())
            #expect(result.status == status, "\(arguments): \(result.errors)")
            #expect(result.output == "")
            #expect(result.errors.hasPrefix("edithost: "))
            #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
            for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
        }
        #expect(try bench.position(id) == (1, 1))
    }

    @Test("an extension that fails, crashes or declines ends the edit with 70 and its message")
    func failingExtension() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        for (mode, words) in [
            ("fail-finish", "no wish to finish"), ("crash-finish", "SIGSEGV"),
            ("crash-pixels", "SIGSEGV"),
        ] {
            let result = try bench.run("edit", ids[0], "--with", "adder", "--set", "mode=\(mode)")
            #expect(result.status == 70, "\(mode): \(result.errors)")
            for word in [words, "org.example.adder", ids[0]] {
                #expect(result.errors.contains(word), "\(mode): \(result.errors)")
            }
        }
        #expect(try bench.position(ids[0]) == (0, 0))
        #expect(try bench.run("edit", ids[0], "--with", "adder").status == 0)
    }

    @Test("a failing command with --json prints an object with the code and the status")
    func errorObjects() throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        try Data("no picture".utf8).write(to: URL(fileURLWithPath: bench.folder.file("bad.jpg")))
        let cases: [(arguments: [String], code: String, status: Int32)] = [
            (["show", "ffffffff"], "noSuchAsset", 66), (["list", "--colour", "red"], "usage", 64),
            (["edit", ids[0]], "usage", 64),
            (["edit", ids[0], "--with", "none"], "noSuchExtension", 69),
            (["edit", ids[0], "--with", "sepia", "--set", "intensity=2"], "badParameter", 64),
            (["import", bench.folder.file("bad.jpg")], "badInput", 65),
        ]
        for (arguments, code, status) in cases {
            let result = try bench.run(arguments + ["--json"])
            #expect(result.status == status, "\(arguments): \(result.errors)")
            let line = Data((result.output.split(separator: "\n").last ?? "").utf8)
            let object = try #require(
                try JSONSerialization.jsonObject(with: line) as? [String: Any], "\(arguments)")
            #expect(object["errorCode"] as? String == code, "\(arguments): \(object)")
            let message = try #require(object["error"] as? String)
            #expect(!message.isEmpty && !message.hasPrefix("edithost:"), "\(arguments)")
            // A rejected file is a row, as the other items of a batch are.
            let expected = arguments[0] == "import" ? nil : status
            #expect(object["exitStatus"] as? Int32 == expected)
        }
        #expect(try bench.run(["show", "ffffffff"]).output == "")
        // Help is not an error, and words after -- are not options.
        #expect(try !bench.run(["list", "--json", "--help"]).output.contains("errorCode"))
        #expect(try !bench.run(["import", "--", "--json"]).output.contains("errorCode"))
        // Without --keep-going, the other photos of a batch have a code of their own.
        let (other, photos) = try Workbench.withPhotos(2)
        try TestExtension.buildAdder(in: other.folder.file("extensions"))
        let edit = ["edit", photos[0], photos[1], "--with", "adder", "--set", "mode=fail-finish"]
        let rows = try other.run(edit + ["--json"]).objects
        let codes = rows.map { $0["errorCode"] as? String }
        #expect(Set(codes) == ["extensionFailed", "notCommitted"], "\(rows)")
    }

    @Test("an unusable extension is listed with the reason and rejected with 69")
    func unusableExtensions() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let folder = bench.folder.file("extensions")
        try TestExtension.buildAdder("org.example.other", defines: ["ABI=2"], in: folder)
        try TestExtension.buildAdder("org.example.empty", defines: ["WITHOUT_ENTRY"], in: folder)
        try TestExtension.buildAdder("org.example.garbage", in: folder)
        try bench.folder.write(
            Data("garbage".utf8), to: "extensions/garbage.editingextension/libgarbage.so")
        try TestExtension.buildAdder("org.example.broken", in: folder)
        try bench.folder.write(
            Data("{".utf8), to: "extensions/broken.editingextension/manifest.json")
        for name in ["other", "empty", "garbage", "broken"] {
            let result = try bench.run("edit", ids[0], "--with", name)
            #expect(result.status == 69, "\(name): \(result.errors)")
            #expect(result.errors.contains(name))
        }
        let listed = try bench.json("extensions", "list")
        let broken = listed.first { ($0["path"] as? String)?.contains("broken.") == true }
        #expect(broken?["status"] as? String == "unusable")
        #expect((broken?["reason"] as? String)?.isEmpty == false)
        #expect(try bench.position(ids[0]) == (0, 0))
    }

    @Test("an ambiguous identifier prefix is rejected with 64 by every command")
    func ambiguousBeginning() throws {
        // At least two of 17 identifiers share their first digit, which has 16 values.
        let (bench, ids) = try Workbench.withPhotos(17)
        let counts = Dictionary(ids.map { ($0.prefix(1), 1) }, uniquingKeysWith: +)
        let shared = String(try #require(counts.first { $0.value > 1 }?.key))
        for command in ["show", "history", "undo", "redo", "revert"] {
            let result = try bench.run(command, shared)
            #expect(result.status == 64, "\(command): \(result.errors)")
            #expect(result.errors.contains("asset \(shared): "))
        }
        // A unique prefix is enough, in upper or lower case.
        let shown = try bench.json("show", String(ids[0].prefix(12)).uppercased())
        #expect(shown.first?["id"] as? String == ids[0])
    }

    @Test("a missing file gives 66, a non-library 65, and a folder that cannot be created 73")
    func places() throws {
        let bench = try Workbench()
        let missing = try bench.run("import", bench.folder.file("missing.jpg"))
        #expect(missing.status == 66)
        #expect(missing.errors.contains("missing.jpg"))

        try FileManager.default.createDirectory(
            atPath: bench.folder.file("folder"), withIntermediateDirectories: true)
        try bench.folder.write(Data("plain".utf8), to: "file")
        let picture = try bench.picture()
        try bench.folder.write(Data("plain".utf8), to: "folder/file")
        for place in ["folder", "file", "nowhere"] {
            let path = bench.folder.file(place)
            for arguments in [["list"], ["check"], ["show", "a"], ["prune"]] {
                let result = try runProgram(
                    Workbench.command, arguments + ["--library", path],
                    environment: bench.environment())
                #expect(result.status == 65, "\(arguments) \(place): \(result.errors)")
                #expect(result.errors.contains(path))
                #expect(result.output == "")
            }
        }
        for place in ["folder", "file"] {
            let result = try bench.run(
                "import", picture, "--library", bench.folder.file(place))
            #expect(result.status == 65, "\(place): \(result.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("nowhere")))
        let unmade = try bench.run(
            "import", picture, "--library", bench.folder.file("no/parent/here"))
        #expect(unmade.status == 73, "\(unmade.errors)")
    }

    @Test(
        "an output in a folder that does not exist gives 73",
        arguments: [
            ["image", "ID", "--output", "missing/a.png"],
            ["preview", "ID", "--with", "sepia", "--output", "missing/a.png"],
            ["resources", "ID", "--type", "photo", "--output", "missing/a.png"],
            ["preset", "export", "faded", "missing/a.json"],
            ["work", "plan", "missing/plan", "--all", "--force"],
        ])
    func missingFolder(words: [String]) throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        for words in [
            ["edit", ids[0], "--with", "sepia"], ["preset", "save", "faded", "--from", ids[0]],
        ] {
            try #require(try bench.run(words).status == 0)
        }
        let result = try bench.run(words.map { $0 == "ID" ? ids[0] : $0 })
        #expect(result.status == 73, "\(result.errors)")
        #expect(result.errors.contains("missing"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("missing")))
    }

    @Test("bad input is rejected with 65 and a reason; a non-photo is skipped")
    func badInput() throws {
        let bench = try Workbench()
        let whole = try TestPicture.gradient().encoded("jpeg")
        try bench.folder.write(whole.prefix(whole.count / 2), to: "photos/half.jpg")
        try bench.folder.write(Data(), to: "photos/empty.jpg")
        try bench.folder.write(Data("<svg xmlns='x'/>".utf8), to: "photos/a.svg")
        for name in ["half.jpg", "empty.jpg", "a.svg"] {
            let result = try bench.run("import", bench.folder.file("photos/\(name)"))
            #expect(result.status == 65, "\(name): \(result.errors)")
            #expect(result.errors.contains(name))
        }
        try bench.folder.write(Data("only words\n".utf8), to: "photos/notes.txt")
        let skipped = try bench.json("import", bench.folder.file("photos/notes.txt"))
        #expect(skipped.first?["status"] as? String == "skipped")

        _ = try bench.picture()
        // The files were rejected before.
        let some = try bench.run("import", bench.folder.file("photos"), "--again", "--json")
        #expect(some.status == 1)
        let statuses = try some.objects.compactMap { $0["status"] as? String }
        #expect(statuses.filter { $0 == "imported" }.count == 1)
        #expect(statuses.filter { $0 == "rejected" }.count == 3)
        #expect(statuses.filter { $0 == "skipped" }.count == 1)
        #expect(try bench.json("list").count == 1)
    }
}
