// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `edit --then`, `--recipe` and `--from`.
@Suite("several edits in one command, and recipes from elsewhere")
struct MultistepEditTests {
    private let bench: Workbench
    private let ids: [String]

    init() throws {
        (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter", "CropRotate"])
    }

    /// The hash of a photo's current picture.
    private func picture(_ id: String) throws -> String {
        let resources = try bench.json("resources", id)
        let current = try #require(resources.first { $0["type"] as? String == "fullSizePhoto" })
        return try #require(current["hash"] as? String)
    }

    private func recipes(_ id: String) throws -> [String] {
        try bench.json("show", id).flatMap { $0["edits"] as? [[String: Any]] ?? [] }.map { edit in
            let values = edit["values"] as? [String: Any] ?? [:]
            let shown = ["intensity", "turns"].compactMap { name in
                values[name].map { "\(name) \($0)" }
            }
            return "\(edit["extension"] ?? "") \(shown.joined(separator: " "))"
        }
    }

    private func reason(_ arguments: String...) throws -> (status: Int32, text: String) {
        let result = try bench.run(arguments)
        return (result.status, result.errors)
    }

    private let sepia = "org.edithost.sepia intensity"
    private let turned = "org.edithost.croprotate turns 1"

    @Test(
        "edits joined by --then equal the same commands in sequence, as one step"
    )
    func then() throws {
        let together = try bench.json(
            "edit", ids[0], ids[1], "--with", "sepia", "--set", "intensity=0.5", "--then",
            "croprotate", "--set", "turns=1", "--then", "sepia", "--set", "intensity=0.25")
        #expect(together.map { $0["status"] as? String } == ["committed", "committed"])
        #expect(together.allSatisfy { $0["state"] as? Int == 1 })
        let expected = ["\(sepia) 0.5", turned, "\(sepia) 0.25"]
        for id in ids[..<2] { #expect(try recipes(id) == expected) }
        for (name, value) in [
            ("sepia", "intensity=0.5"), ("croprotate", "turns=1"), ("sepia", "intensity=0.25"),
        ] {
            _ = try bench.json("edit", ids[2], "--with", name, "--set", value)
        }
        // The photos differ, so one of them is edited both ways.
        let one = try picture(ids[0])
        _ = try bench.json("revert", ids[0])
        for (name, value) in [
            ("sepia", "intensity=0.5"), ("croprotate", "turns=1"), ("sepia", "intensity=0.25"),
        ] {
            _ = try bench.json("edit", ids[0], "--with", name, "--set", value)
        }
        #expect(try picture(ids[0]) == one)
        _ = try bench.json("undo", ids[1])
        #expect(try recipes(ids[1]).isEmpty)
    }

    @Test("the first edit continues the last one; later edits are always new")
    func continues() throws {
        _ = try bench.json("edit", ids[0], "--with", "sepia", "--set", "intensity=0.5")
        _ = try bench.json(
            "edit", ids[0], "--with", "sepia", "--set", "intensity=0.75", "--then", "croprotate",
            "--set", "turns=1")
        #expect(try recipes(ids[0]) == ["\(sepia) 0.75", turned])
        _ = try bench.json(
            "edit", ids[0], "--with", "croprotate", "--then", "croprotate", "--set", "turns=1")
        #expect(try recipes(ids[0]) == ["\(sepia) 0.75", turned, turned])
    }

    @Test("-keep-going commits each photo as a separate change")
    func each() throws {
        let result = try bench.run(
            "edit", ids[0], "0000", ids[1], "--json", "--with", "sepia", "--then", "croprotate",
            "--set",
            "turns=1", "--keep-going")
        #expect(result.status == 1, "\(result.errors)")
        #expect(result.output.split(separator: "\n").count == 3)
        for id in ids[..<2] { #expect(try recipes(id).count == 2) }
        // Without `--keep-going`, all photos or none are edited.
        let none = try bench.run(
            "edit", ids[2], "0000", "--with", "sepia", "--then", "croprotate")
        #expect(none.status == 66, "\(none.errors)")
        #expect(try recipes(ids[2]).isEmpty)
        let copied = try bench.run("copy-edits", ids[0], "0000", ids[2], "--keep-going")
        #expect(copied.status == 1, "\(copied.errors)")
        #expect(try recipes(ids[2]).count == 2)
    }

    @Test("invalid uses of --then are reported and change nothing")
    func wrong() throws {
        for (words, text) in [
            (["--then"], "needs an extension"),
            (["--then", "--set", "turns=1"], "needs an extension"),
            (["--then", "croprotate", "--all"], "--all"),
            (["--then", "croprotate", "--step", "1"], "--step"),
            (["--then", "croprotate", "--set", "turns=9"], "turns"),
            (["--then", "cropr"], "croprotate"), (["--step", "1", "--then", "sepia"], "--step"),
        ] {
            let result = try bench.run(["edit", ids[0], "--with", "sepia"] + words)
            #expect([64, 69].contains(result.status), "\(words): \(result.status)")
            #expect(result.errors.contains(text), "\(words): \(result.errors)")
        }
        #expect(try recipes(ids[0]).isEmpty)
        // `--library` is also accepted before the command.
        let library = bench.folder.file("Photos.editlibrary")
        let before = try bench.run(
            "--library", library, "edit", ids[0], "--with", "sepia", "--then", "croprotate")
        #expect(before.status == 0, "\(before.errors)")
    }

    @Test(
        "a recipe can come from a values file, an exported recipe or another photo"
    )
    func recipe() throws {
        let values = try bench.folder.write(Data(#"{"intensity": 0.25}"#.utf8), to: "values.json")
        _ = try bench.json("edit", ids[0], "--with", "sepia", "--recipe", values)
        #expect(try recipes(ids[0]) == ["\(sepia) 0.25"])
        let written = bench.folder.file("recipe")
        _ = try bench.json(
            "resources", ids[0], "--type", "adjustmentData", "--output", written)
        _ = try bench.json("edit", ids[1], "--with", "sepia", "--recipe", written)
        #expect(try recipes(ids[1]) == ["\(sepia) 0.25"])
        // Values of `--set` take precedence; values that the file lacks are kept.
        _ = try bench.json(
            "edit", ids[1], "--with", "sepia", "--recipe", values, "--set", "intensity=0.5")
        #expect(try recipes(ids[1]) == ["\(sepia) 0.5"])
        _ = try bench.json("edit", ids[1], "--with", "croprotate", "--set", "turns=1")
        _ = try bench.json("edit", ids[2], "--with", "croprotate", "--from", ids[1])
        #expect(try recipes(ids[2]) == [turned])
        _ = try bench.json("edit", ids[2], "--with", "sepia", "--from", ids[1])
        #expect(try recipes(ids[2]) == [turned, "\(sepia) 0.5"])
        _ = try bench.json("revert", ids[2])
        _ = try bench.json("edit", ids[2], "--from", ids[1])
        #expect(try recipes(ids[2]) == ["\(sepia) 0.5", turned])
        _ = try bench.json(
            "edit", ids[0], "--with", "sepia", "--then", "croprotate", "--from", ids[1])
        #expect(try recipes(ids[0]) == ["\(sepia) 0.25", turned])
    }

    @Test("a values file keeps unlisted parameters, and an unknown name in it is rejected")
    func partial() throws {
        _ = try bench.json("edit", ids[0], "--with", "croprotate", "--set", "crop=0,0,0.5,0.5")
        let turns = try bench.folder.write(Data(#"{"turns": 2}"#.utf8), to: "turns.json")
        _ = try bench.json("edit", ids[0], "--with", "croprotate", "--recipe", turns)
        let edits = try bench.json("show", ids[0]).first?["edits"] as? [[String: Any]]
        let values = edits?.first?["values"] as? [String: Any]
        #expect(values?["turns"] as? Int == 2)
        let crop = values?["crop"] as? [String: Double]
        #expect(crop == ["x": 0, "y": 0, "width": 0.5, "height": 0.5])
        let none = try bench.folder.write(Data("{}".utf8), to: "none.json")
        let unchanged = try bench.json("edit", ids[0], "--with", "croprotate", "--recipe", none)
        #expect(unchanged[0]["status"] as? String == "unchanged")
        let zoom = try bench.folder.write(Data(#"{"turns": 2, "zoom": 3}"#.utf8), to: "zoom.json")
        let refused = try reason("edit", ids[0], "--with", "croprotate", "--recipe", zoom)
        #expect(refused.status == 64 && refused.text.contains("\"zoom\""), "\(refused.text)")
    }

    @Test(
        "a recipe of another extension, or with only unknown names, is rejected"
    )
    func foreignRecipe() throws {
        for text in [#"{"intensity": 0.3}"#, #"{"trns": 1, "flop": 2}"#] {
            let file = try bench.folder.write(Data(text.utf8), to: "foreign.json")
            let refused = try reason("edit", ids[0], "--with", "croprotate", "--recipe", file)
            #expect(
                refused.status == 64 && refused.text.contains("is not one of"),
                "\(refused.text)")
        }
        #expect(try recipes(ids[0]).isEmpty)
    }

    @Test("a recipe in the extension's own format is accepted even with default values")
    func ownKind() throws {
        try TestExtension.buildAdder(
            defines: ["FLAT"],
            manifest: [
                "parameters": [
                    [
                        "name": "amount", "type": "number", "minimum": 0, "maximum": 100,
                        "default": 10,
                    ], ["name": "mode", "type": "text", "default": "plain"],
                ]
            ], in: bench.folder.file("extensions"))
        let own = try bench.folder.write(Data(#"{"n":10,"m":"plain"}"#.utf8), to: "own.json")
        let edited = try bench.run("edit", ids[0], "--with", "adder", "--recipe", own)
        #expect(edited.status == 0, "\(edited.errors)")
        let then = try bench.run(
            "edit", ids[1], "--with", "sepia", "--then", "adder", "--recipe", own)
        #expect(then.status == 0, "\(then.errors)")
        let values = try bench.json("show", ids[0]).first?["edits"] as? [[String: Any]]
        #expect((values?.first?["values"] as? [String: Any])?["amount"] as? Int == 10)
    }

    @Test("a recipe file cannot refer to another file")
    func recipeFile() throws {
        try TestExtension.buildCube(in: bench.folder.file("extensions"))
        let secret = try bench.folder.write(Data("secret".utf8), to: "secret")
        let recipe = try bench.folder.write(
            Data(#"{"lut": "\#(secret)"}"#.utf8), to: "recipe.json")
        let refused = try reason("edit", ids[0], "--with", "cube", "--recipe", recipe)
        #expect(refused.status == 64 && refused.text.contains("--set"), "\(refused.text)")
    }

    @Test("several edits reject an extension that does not reproduce its recipe")
    func notReproducing() throws {
        try TestExtension.buildAdder(
            defines: ["DRAWS_ELSE"], in: bench.folder.file("extensions"))
        // Before and after the host has recorded that the extension does not reproduce its recipe.
        for _ in 0..<2 {
            let refused = try reason(
                "edit", ids[0], "--with", "adder", "--set", "amount=7", "--then", "sepia")
            #expect(
                refused.status != 0 && refused.text.contains("in a command of its own"),
                "\(refused.text)")
        }
        #expect(try recipes(ids[0]).isEmpty)
        _ = try bench.json("edit", ids[0], "--with", "adder", "--set", "amount=7")
        _ = try bench.json(
            "edit", ids[0], "--with", "sepia", "--then", "croprotate", "--set", "turns=1")
        #expect(try recipes(ids[0]).count == 3)
    }

    @Test("edits made by one command can be edited further after an extension is removed")
    func goneInTheMiddle() throws {
        let extensions = bench.folder.file("extensions")
        try TestExtension.buildAdder(in: extensions)
        try bench.assumeReproducing()
        _ = try bench.json(
            "edit", ids[0], "--with", "sepia", "--then", "adder", "--set", "amount=7", "--then",
            "croprotate", "--set", "turns=1")
        let before = try picture(ids[0])
        try FileManager.default.removeItem(atPath: extensions + "/adder.editingextension")
        _ = try bench.json("edit", ids[0], "--with", "sepia", "--set", "intensity=0.25")
        #expect(try recipes(ids[0]).count == 4)
        _ = try bench.json("undo", ids[0])
        #expect(try picture(ids[0]) == before)
        let again = try bench.run("rerender", ids[0], "--force")
        #expect(again.status != 0, "\(again.output)")
        #expect(try picture(ids[0]) == before)
    }

    @Test("an invalid recipe is rejected with the reason and changes nothing")
    func badRecipe() throws {
        let pipe = bench.folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for (bytes, status, text) in [
            (#"{"intensty": 0.25}"#, 64, "did you mean"), (#"{"intensity": 7}"#, 64, "intensity"),
            (#"{"intensity": {"a": 1}}"#, 64, "value"), ("", 65, "no bytes"),
            (#"{"intensity": "0.5"}"#, 64, "bad.json"),
            ("\u{1}\u{2}", 65, "does not accept"),
        ] as [(String, Int32, String)] {
            let path = try bench.folder.write(Data(bytes.utf8), to: "bad.json")
            let (found, words) = try reason(
                "edit", ids[0], "--with", "sepia", "--recipe", path)
            #expect(found == status, "\(bytes): \(words)")
            #expect(words.contains(text), "\(bytes): \(words)")
        }
        #expect(try reason("edit", ids[0], "--with", "sepia", "--recipe", pipe).status == 65)
        #expect(
            try reason("edit", ids[0], "--with", "sepia", "--recipe", pipe + ".no").status == 66)
        #expect(try reason("edit", ids[0], "--with", "sepia", "--from", ids[1]).status == 64)
        #expect(try reason("edit", ids[0], "--from", ids[1]).status == 64)
        #expect(try reason("edit", ids[0], "--from", ids[1], "--recipe", pipe).status == 64)
        #expect(try recipes(ids[0]).isEmpty)
    }
}
