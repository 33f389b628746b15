// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Presets that are part of an extension.
@Suite("extension presets")
struct PresetTests {
    private static var keys: [String: Any] {
        [
            "parameters": [
                ["name": "amount", "type": "number", "minimum": 0, "maximum": 100, "default": 10],
                ["name": "mode", "type": "text", "default": "plain"],
            ],
            "presets": [
                [
                    "name": "strong", "label": ["de": "Stark", "en": "Strong"],
                    "values": ["amount": 50],
                ],
                ["name": "weak", "values": ["amount": 2, "mode": "plain"]],
            ],
        ]
    }

    private static func edited(_ bench: Workbench, _ id: String, _ words: String...) throws {
        let result = try bench.run(["edit", id, "--with", "adder"] + words)
        try #require(result.status == 0, "\(result.errors)")
    }

    /// The brightness difference between a photo and its original.
    private static func amount(_ bench: Workbench, _ id: String) throws -> Int {
        let before = try bench.exported(id, "original").picture
        let after = try bench.exported(id, "current").picture
        let differences = zip(before.samples, after.samples).map { Int($1) - Int($0) }
        return try #require(differences.first)
    }

    @Test("a preset sets its values, --set overrides them, and the next edit starts from them")
    func edit() throws {
        let bench = try ShowExtensionTests.bench(Self.keys)
        let id = try bench.importPicture()
        try Self.edited(bench, id, "--preset", "strong")
        #expect(try Self.amount(bench, id) == 50)
        try Self.edited(bench, id, "--preset", "weak", "--set", "amount=7")
        #expect(try Self.amount(bench, id) == 7)
        try Self.edited(bench, id, "--preset", "weak", "--reset", "--keep-going")
        #expect(try Self.amount(bench, id) == 2)
        let preview = bench.folder.file("preview.png")
        let made = try bench.run(
            "preview", id, "--with", "adder", "--preset", "strong", "--output", preview)
        #expect(made.status == 0, "\(made.errors)")
    }

    @Test("a preset of a video-only extension is exported and shown")
    func videosAlone() throws {
        let bench = try Workbench()
        let preset: [String: Any] = ["name": "plain", "values": [String: Any]()]
        try TestExtension.buildClock(
            defines: ["VIDEOS_ALONE"],
            manifest: ["supportedMediaTypes": ["video"], "presets": [preset]],
            in: bench.folder.file("extensions"))
        let path = bench.folder.file("plain.json")
        let exported = try bench.run("preset", "export", "plain", path, "--with", "clock")
        #expect(exported.status == 0, "\(exported.errors)")
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("org.example.clock"))
        let shown = try bench.run("preset", "show", "plain", "--with", "clock")
        #expect(shown.status == 0 && shown.output.contains("org.example.clock"), "\(shown)")
    }

    @Test(
        "without --with, a user preset precedes an extension preset of that name")
    func unnamed() throws {
        let bench = try ShowExtensionTests.bench(Self.keys)
        let id = try bench.importPicture()
        let listed = try bench.json("preset", "list")
        #expect(listed.map { $0["name"] as? String } == ["strong", "weak"])
        #expect(listed.allSatisfy { $0["isOwn"] as? Bool == false })
        let edited = try bench.run("edit", id, "--preset", "strong")
        #expect(edited.status == 0, "\(edited.errors)")
        #expect(try Self.amount(bench, id) == 50)
        // The user's preset of that name takes precedence, and both are listed.
        try Self.edited(bench, id, "--set", "amount=3")
        _ = try bench.json("preset", "save", "strong", "--from", id)
        _ = try bench.json("revert", id)
        _ = try bench.json("edit", id, "--preset", "strong")
        #expect(try Self.amount(bench, id) == 3)
        let names = try bench.json("preset", "list").map { $0["isOwn"] as? Bool }
        #expect(names == [true, false, false])
        let unknown = try bench.run("edit", id, "--preset", "strongest")
        #expect(unknown.status == 64, "\(unknown.errors)")
        // Several extensions have this preset.
        try TestExtension.buildAdder(
            "org.example.other", manifest: Self.keys, in: bench.folder.file("extensions"))
        let several = try bench.run("edit", id, "--preset", "weak")
        #expect(several.status == 64 && several.errors.contains("--with"), "\(several.errors)")
    }

    @Test("extension presets are shown and exported as recipes, but not renamed or removed")
    func ofExtension() throws {
        let bench = try ShowExtensionTests.bench(Self.keys)
        let id = try bench.importPicture()
        let shown = try bench.json("preset", "show", "strong")
        #expect(shown.count == 1)
        #expect((shown.first?["values"] as? [String: Any])?["amount"] as? Int == 50)
        #expect(try bench.run("preset", "show", "strong").output.contains("amount=50"))
        let file = bench.folder.file("strong.json")
        let exported = try bench.run("preset", "export", "strong", file)
        #expect(exported.status == 0, "\(exported.errors)")
        #expect(try bench.run("preset", "export", "weak", file).status == 73)
        for words in [["rename", "strong", "mine"], ["remove", "strong"]] {
            let refused = try bench.run(["preset"] + words)
            #expect(refused.status == 64 && refused.errors.contains("is part of"), "\(refused)")
        }
        _ = try bench.json("preset", "import", file, "--as", "mine")
        _ = try bench.json("edit", id, "--preset", "mine")
        #expect(try Self.amount(bench, id) == 50)
        // `--with` selects the extension's preset if the user has one of that name too.
        _ = try bench.json("preset", "import", file, "--as", "weak")
        #expect(
            try bench.run("preset", "export", "weak", file, "--with", "adder", "--replace").status
                == 0)
        // Neither files in a library nor special files are replaced.
        let database = bench.folder.file("Photos.editlibrary/library.sqlite")
        let kept = try Data(contentsOf: URL(fileURLWithPath: database))
        let pipe = bench.folder.file("pipe")
        try #require(mkfifo(pipe, 0o644) == 0)
        for (place, words) in [(database, "inside a library"), (pipe, "is a named pipe")] {
            let refused = try bench.run("preset", "export", "strong", place, "--replace")
            #expect(refused.status != 0 && refused.errors.contains(words), "\(refused)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == kept)
        _ = try bench.json("preset", "import", file, "--as", "other")
        _ = try bench.json("revert", id)
        _ = try bench.json("edit", id, "--preset", "other")
        #expect(try Self.amount(bench, id) == 2)
        #expect(try bench.run("preset", "show", "none", "--with", "adder").status == 64)
        #expect(try bench.run("preset", "show", "none").status == 64)
    }

    @Test("an unknown preset is a usage error that lists the known ones")
    func unknown() throws {
        let bench = try ShowExtensionTests.bench(Self.keys)
        let id = try bench.importPicture()
        for rest in [[], ["--keep-going"]] {
            let result = try bench.run(
                ["edit", id, "--with", "adder", "--preset", "string"] + rest)
            #expect(result.status == 64)
            #expect(
                result.errors.contains(
                    #"there is no preset "string"; the extension's presets are: strong, weak; did you mean "strong"?"#
                ), "\(result.errors)")
        }
        #expect(try bench.position(id).count == 0)
        let (other, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        let none = try other.run("edit", ids[0], "--with", "sepia", "--preset", "x")
        #expect(none.status == 64 && none.errors.contains("none"))
    }

    @Test("show lists presets with their values, also as JSON")
    func show() throws {
        let bench = try ShowExtensionTests.bench(Self.keys)
        let text = try bench.run(
            "extensions", "show", "adder", environment: ["LC_ALL": "de_DE", "LANGUAGE": nil])
        #expect(
            text.output.hasSuffix(
                """

                PRESET  LABEL  SETS
                strong  Stark  amount=50
                weak           amount=2 mode=plain

                """), "\(text.output)")
        let object = try #require(try bench.json("extensions", "show", "adder").first)
        let presets = try #require(object["presets"] as? [[String: Any]])
        #expect(presets.map { $0["name"] as? String } == ["strong", "weak"])
        #expect((presets[0]["label"] as? [String: String])?["de"] == "Stark")
        #expect((presets[1]["values"] as? [String: Any])?["amount"] as? Double == 2)
        #expect(presets[1]["label"] is NSNull)
    }
}
