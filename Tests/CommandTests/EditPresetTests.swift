// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `preset`, and of `edit --preset` without an extension.
@Suite("edit presets")
struct EditPresetTests {
    /// Three photos, the first of which has two edits.
    private func photos() throws -> (Workbench, [String]) {
        let (bench, ids) = try Workbench.withPhotos(
            3, extensions: ["SepiaFilter", "CropRotate"])
        _ = try bench.json("edit", ids[0], "--with", "sepia", "--set", "intensity=0.4")
        _ = try bench.json("edit", ids[0], "--with", "croprotate", "--set", "turns=1")
        return (bench, ids)
    }

    private func extensions(_ id: String, _ bench: Workbench) throws -> [String] {
        try bench.json("edits", "list", id).compactMap { $0["extension"] as? String }
    }

    private let both = ["org.edithost.sepia", "org.edithost.croprotate"]

    @Test("edits are saved as a preset, applied to other photos as one step, and shared")
    func kept() throws {
        let (bench, ids) = try photos()
        #expect(try bench.run("preset", "list").status == 0)
        let saved = try bench.json("preset", "save", "old album", "--from", ids[0])
        #expect(saved[0]["extensions"] as? [String] == both)
        let applied = try bench.run("edit", ids[1], ids[2], "--preset", "old album")
        #expect(applied.status == 0, "\(applied.errors)")
        for id in ids { #expect(try extensions(id, bench) == both) }
        let steps = try bench.json("preset", "show", "old album")
        #expect(steps.compactMap { $0["extension"] as? String } == both)
        _ = try bench.json("undo", ids[1])
        #expect(try extensions(ids[1], bench).isEmpty)

        let file = bench.folder.file("shared.json")
        #expect(try bench.run("preset", "export", "old album", file).status == 0)
        #expect(try bench.run("preset", "export", "old album", file).status != 0)
        let written = try String(contentsOfFile: file, encoding: .utf8)
        #expect(written.contains(#""text" : "{\"intensity\":0.4}""#), "\(written)")
        // The file can be used without importing it; a preset of that name takes precedence.
        #expect(try bench.json("preset", "show", file).count == 2)
        #expect(try bench.run("edit", ids[1], "--preset", "shared.json").status == 0)
        #expect(try extensions(ids[1], bench) == both)
        _ = try bench.json("preset", "save", "shared.json", "--from", ids[0], "--only", "sepia")
        _ = try bench.json("revert", ids[1])
        #expect(try bench.run("edit", ids[1], "--preset", "shared.json").status == 0)
        #expect(try extensions(ids[1], bench) == [both[0]])
        _ = try bench.json("revert", ids[1])
        _ = try bench.json("preset", "remove", "shared.json")
        #expect(try bench.run("preset", "import", file).status == 0)
        #expect(try bench.run("preset", "import", file).status == 64)
        #expect(try bench.run("preset", "import", file, "--replace").status == 0)
        #expect(try bench.run("preset", "rename", "shared", "other").status == 0)
        #expect(try bench.run("preset", "rename", "other", "old album").status == 64)
        let names = try bench.json("preset", "list").compactMap { $0["name"] as? String }
        #expect(names == ["old album", "other"])
        _ = try bench.json("edit", ids[1], "--preset", "other")
        #expect(try extensions(ids[1], bench) == both)
        #expect(try bench.run("preset", "remove", "other").status == 0)
        #expect(try bench.run("preset", "remove", "other").status == 64)
        let only = try bench.json(
            "preset", "save", "old album", "--from", ids[0], "--only", "sepia", "--replace")
        #expect(only[0]["extensions"] as? [String] == [both[0]])
    }

    @Test(
        "a file that is not a preset is rejected with the reason",
        arguments: [
            ("{", "is not valid JSON"), ("[]", "it is not a JSON object"),
            ("{\"preset\": 1.5, \"edits\": []}", "not a whole number"),
            ("{\"edits\": []}", "preset is missing"),
            ("{\"preset\": 2, \"edits\": [], \"more\": 1}", "newer version of edithost"),
            ("{\"preset\": 1, \"edits\": []}", "it has 0 edits"),
            ("{\"preset\": 1, \"edit\": [], \"edits\": []}", "edit is unknown"),
            ("{\"preset\": 1, \"edits\": [{\"extension\": \"a\"}]}", "version is missing"),
            (
                "{\"preset\": 1, \"edits\": [{\"extension\": \"a\", \"version\": \"1\", "
                    + "\"formatIdentifier\": \"\", \"formatVersion\": \"1\", \"data\": \"AAAA\"}]}",
                "format identifier must be"
            ),
            (
                "{\"preset\": 1, \"edits\": [{\"extension\": \"a\", \"version\": \"1\", "
                    + "\"formatIdentifier\": \"a\", \"formatVersion\": \"1\"}]}",
                "data or text is required"
            ),
        ])
    func broken(text: String, reason: String) throws {
        let bench = try Workbench()
        let path = try bench.folder.write(Data(text.utf8), to: "broken.json")
        let result = try bench.run("preset", "import", path)
        #expect(result.status == 65, "\(result.status) \(result.errors)")
        #expect(result.errors.contains("broken.json is not a preset"), "\(result.errors)")
        #expect(result.errors.contains(reason), "\(result.errors)")
        #expect(try bench.run("preset", "list").output.isEmpty)
    }

    @Test("invalid names, extensions and files are rejected and nothing changes")
    func refused() throws {
        let (bench, ids) = try photos()
        for name in [
            "../\(UUID().uuidString)", ".x", "a/b", "", "a\nb", "a\u{85}b", "a\u{2028}b",
            "a\u{202E}b", ".\u{301}a",
            String(repeating: "x", count: 101),
        ] {
            let saved = try bench.run("preset", "save", name, "--from", ids[0])
            #expect(saved.status == 64, "\(name): \(saved.errors)")
            // A name with a slash is the path of a file.
            let applied = try bench.run("edit", ids[1], "--preset", name)
            #expect(applied.status == (name.contains("/") ? 66 : 64), "\(applied.errors)")
        }
        #expect(try bench.run("preset", "save", "x", "--from", ids[1]).status == 64)
        #expect(try bench.run("edit", ids[1], "--preset", "nothing").status == 64)
        _ = try bench.json("preset", "save", "x", "--from", ids[0])
        for arguments in [["--set", "a=1"], ["--reset"], ["--step", "1"], ["--then", "sepia"]] {
            #expect(try bench.run(["edit", ids[1], "--preset", "x"] + arguments).status == 64)
        }
        #expect(try bench.run("edit", ids[1]).status == 64)
        // The extension is not installed.
        let text = """
            {"preset": 1, "edits": [{"extension": "org.example.gone", "version": "1", \
            "formatIdentifier": "a", "formatVersion": "1", "data": "AAAA"}]}
            """
        let path = try bench.folder.write(Data(text.utf8), to: "gone.json")
        #expect(try bench.run("preset", "import", path).status == 0)
        let gone = try bench.run("edit", ids[1], "--preset", "gone")
        #expect(gone.status == 69 && gone.errors.contains("org.example.gone"), "\(gone.errors)")
        for name in ["", "a.b\u{2028}c", "a.b\\u0000", String(repeating: "x", count: 256)] {
            let odd = text.replacing("org.example.gone", with: name)
            let path = try bench.folder.write(Data(odd.utf8), to: "odd.json")
            let refused = try bench.run("preset", "import", path)
            #expect(refused.status == 65, "\(name): \(refused.errors)")
        }
        // Only regular files can be imported.
        let pipe = bench.folder.file("pipe.json")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(try bench.run("preset", "import", pipe).status != 0)
        #expect(try bench.run("preset", "import", bench.folder.file("no.json")).status == 66)
        #expect(try extensions(ids[1], bench).isEmpty)
    }
}
