// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `version` and of `edits disable|enable`.
@Suite("versions and disabled edits")
struct VersionTests {
    private let bench: Workbench
    private let id: String
    private let other: String

    init() throws {
        let made = try Workbench.withPhotos(2, extensions: ["SepiaFilter", "CropRotate"])
        bench = made.0
        (id, other) = (made.1[0], made.1[1])
    }

    private var library: String { bench.folder.file("Photos.editlibrary") }

    private func picture() throws -> String? {
        try bench.json("resources", id).first { $0["type"] as? String == "fullSizePhoto" }?["hash"]
            as? String
    }

    private func edit(_ name: String, _ value: String) throws {
        _ = try bench.json("edit", id, "--with", name, "--set", value)
    }

    private func versions() throws -> [String] {
        try bench.json("version", "list", id).compactMap { $0["version"] as? String }
    }

    private func isClean() throws -> Bool {
        try bench.run("check", "--read-data", "100", "--library", library).status == 0
    }

    /// The short names of the edits, with disabled ones in parentheses.
    private func chain() throws -> [String] {
        try bench.json("edits", "list", id).map { edit in
            let name = (edit["extension"] as? String ?? "").split(separator: ".").last ?? ""
            return edit["isEnabled"] as? Bool == true ? String(name) : "(\(name))"
        }
    }

    @Test(
        "several versions keep their pictures through edits, undo and prune")
    func looks() throws {
        try edit("sepia", "intensity=0.5")
        let warm = try #require(try picture())
        _ = try bench.json("version", "save", id, "--name", "warm")
        try edit("sepia", "intensity=0.25")
        try edit("croprotate", "turns=1")
        let turned = try #require(try picture())
        _ = try bench.json("version", "save", id, "--name", "turned")
        _ = try bench.json("undo", id)
        _ = try bench.json("undo", id)
        _ = try bench.json("undo", id)
        // A new edit discards the states that could be redone, except named ones.
        try edit("croprotate", "turns=2")
        #expect(try versions() == ["turned", "warm"])
        #expect(try bench.run("prune").status == 0)
        for (name, hash) in [("warm", warm), ("turned", turned), ("warm", warm)] {
            let used = try bench.json("version", "use", id, "--name", name)
            #expect(used[0]["status"] as? String == "committed")
            #expect(try picture() == hash)
        }
        #expect(try chain() == ["sepia"])
        let again = try bench.json("version", "use", id, "--name", "warm")
        #expect(again[0]["status"] as? String == "unchanged")
        _ = try bench.json("undo", id)
        #expect(try picture() == turned)
        #expect(try chain() == ["sepia", "croprotate"])
        // Like any other picture, it can be re-rendered from its recipes.
        let rendered = try bench.run("rerender", id, "--force")
        #expect(rendered.status == 0, "\(rendered.errors)")
        #expect(try picture() == turned)
        #expect(try isClean())
    }

    @Test("rename prints both names, and an upgrade without changes reports that")
    func words() throws {
        try edit("sepia", "intensity=0.5")
        _ = try bench.json("version", "save", id, "--name", "warm")
        let renamed = try bench.run("version", "rename", id, "--name", "warm", "--to", "old")
        #expect(
            renamed.output.hasSuffix("  version \"warm\" renamed to \"old\"\n"), "\(renamed)")
        for words in [[], ["--keep-going"]] {
            let upgraded = try bench.run(["extensions", "upgrade", "sepia"] + words)
            #expect(
                upgraded.status == 0 && upgraded.errors.contains("nothing to do"), "\(upgraded)")
        }
    }

    @Test("a lost picture of a version is re-rendered on use")
    func lost() throws {
        try edit("sepia", "intensity=0.5")
        let hash = try #require(try picture())
        _ = try bench.json("version", "save", id, "--name", "warm")
        _ = try bench.json("revert", id)
        let file = "\(library)/blobs/\(hash.prefix(2))/\(hash)"
        try FileManager.default.removeItem(atPath: file)
        _ = try bench.json("version", "use", id, "--name", "warm")
        #expect(try picture() == hash)
        #expect(FileManager.default.fileExists(atPath: file))
        #expect(try isClean())
    }

    @Test("versions are renamed, replaced and removed; invalid names are rejected")
    func names() throws {
        #expect(try bench.run("version", "save", id, "--name", "x").status == 66)
        try edit("sepia", "intensity=0.5")
        _ = try bench.json("version", "save", id, "--name", "x")
        #expect(try bench.run("version", "save", id, "--name", "x").status == 64)
        _ = try bench.json("version", "rename", id, "--name", "x", "--to", "y z")
        #expect(try versions() == ["y z"])
        _ = try bench.json("version", "save", id, "--name", "x")
        #expect(try bench.run("version", "rename", id, "--name", "x", "--to", "y z").status == 64)
        try edit("sepia", "intensity=0.75")
        let hash = try picture()
        _ = try bench.json("version", "save", id, "--name", "x", "--replace")
        _ = try bench.json("undo", id)
        _ = try bench.json("version", "use", id, "--name", "x")
        #expect(try picture() == hash)
        _ = try bench.json("version", "remove", id, "--name", "x")
        #expect(try picture() == hash)
        let unknown = try bench.run("version", "use", id, "--name", "x")
        #expect(unknown.status == 66 && unknown.errors.contains("\"y z\""), "\(unknown.errors)")
        #expect(try bench.run("version", "remove", id, "--name", "x").status == 66)
        let invalid = [
            "", " x", "x ", "a\nb", "a\u{85}b", "a\u{2028}b", "a\u{2029}b", "a\u{202E}b",
            "a\u{2066}b",
            String(repeating: "n", count: 256),
            // The versions that each photo has.
            "original", "Unadjusted", "current",
        ]
        for name in invalid {
            #expect(try bench.run("version", "save", id, "--name", name).status == 64, "\(name)")
            let renamed = try bench.run("version", "rename", id, "--name", "y z", "--to", name)
            #expect(renamed.status == 64, "\(name)")
        }
        // All or none: the other photo has no edits.
        #expect(try bench.run("version", "save", id, other, "--name", "both").status == 66)
        #expect(try versions() == ["y z"])
        let all = try bench.json("version", "save", "--all", "--name", "all")
        #expect(all.count == 1)
        _ = try bench.json("delete", id)
        #expect(try isClean())
    }

    @Test("names that look the same are one name, however they are spelt")
    func spellings() throws {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        try edit("sepia", "intensity=0.5")
        let first = try picture()
        _ = try bench.json("version", "save", id, "--name", decomposed)
        try edit("sepia", "intensity=0.25")
        let second = try picture()
        #expect(first != second)
        let twin = try bench.run("version", "save", id, "--name", composed)
        #expect(twin.status == 64 && twin.errors.contains("already"), "\(twin.errors)")
        for name in [composed, decomposed] {
            _ = try bench.json("version", "use", id, "--name", name)
            #expect(try picture() == first)
        }
        let none = try bench.run("version", "use", "--all", "--name", "nothing")
        #expect(none.status == 0 && none.errors.contains("nothing to do"), "\(none.errors)")
    }

    @Test("a disabled edit is skipped, keeps its place and values, and can be enabled again")
    func disabled() throws {
        try edit("sepia", "intensity=0.5")
        let warm = try picture()
        try edit("croprotate", "turns=1")
        let both = try picture()
        _ = try bench.json("edits", "disable", id, "2")
        #expect(try chain() == ["sepia", "(croprotate)"])
        #expect(try picture() == warm)
        _ = try bench.json("edits", "disable", id, "1")
        #expect(try chain() == ["(sepia)", "(croprotate)"])
        let unchanged = try bench.json("edits", "disable", id, "1", "2")
        #expect(unchanged[0]["status"] as? String == "unchanged")
        _ = try bench.json("edits", "enable", id, "2")
        let turned = try picture()
        #expect(try chain() == ["(sepia)", "croprotate"])
        _ = try bench.json("edits", "enable", id, "1")
        #expect(try picture() == both)
        _ = try bench.json("undo", id)
        #expect(try picture() == turned)
        #expect(try bench.run("edits", "disable", id, "3").status == 64)
        // The same edit alone gives the same picture.
        _ = try bench.json("edits", "remove", id, "1")
        #expect(try picture() == turned)
        #expect(try isClean())
    }

    @Test("edits above and below a disabled edit can be edited, moved and copied")
    func around() throws {
        try edit("sepia", "intensity=0.5")
        try edit("croprotate", "turns=1")
        _ = try bench.json("edits", "disable", id, "1")
        let turned = try picture()
        // The last edit is changed, and the disabled one below it is kept.
        try edit("croprotate", "turns=2")
        #expect(try chain() == ["(sepia)", "croprotate"])
        #expect(try picture() != turned)
        try edit("croprotate", "turns=1")
        #expect(try picture() == turned)
        #expect(try bench.run("rerender", id, "--force").status == 0)
        #expect(try picture() == turned)
        #expect(try bench.json("list", "--edited-by", "sepia").isEmpty)
        _ = try bench.json("copy-edits", id, other)
        #expect(try bench.json("edits", "list", other).count == 1)
        // With a disabled edit on top, a new edit is added. `--step` with its number changes and
        // enables it.
        _ = try bench.json("edits", "move", id, "1", "--to", "2")
        #expect(try chain() == ["croprotate", "(sepia)"])
        #expect(try picture() == turned)
        try edit("sepia", "intensity=0.25")
        #expect(try chain() == ["croprotate", "(sepia)", "sepia"])
        _ = try bench.json("edit", id, "--with", "sepia", "--step", "2")
        #expect(try chain() == ["croprotate", "sepia", "sepia"])
        _ = try bench.json("edits", "disable", id, "2", "3")
        _ = try bench.json("edit", id, "--with", "croprotate", "--step", "1", "--set", "turns=3")
        #expect(try chain() == ["croprotate", "(sepia)", "(sepia)"])
        let shown = try bench.run("show", id)
        #expect(shown.output.contains("disabled"), "\(shown.output)")
        #expect(try isClean())
    }

    @Test("an edit of a missing extension can be disabled, and the rest re-renders")
    func gone() throws {
        try edit("croprotate", "turns=1")
        let turned = try picture()
        try edit("sepia", "intensity=0.5")
        try edit("croprotate", "turns=2")
        let installed = bench.folder.file("extensions")
        for name in try FileManager.default.contentsOfDirectory(atPath: installed)
        where name.lowercased().contains("sepia") {
            try FileManager.default.removeItem(atPath: "\(installed)/\(name)")
        }
        let refused = try bench.run("edits", "remove", id, "1")
        #expect(refused.status == 69, "\(refused.errors)")
        _ = try bench.json("edits", "disable", id, "2")
        #expect(try chain() == ["croprotate", "(sepia)", "croprotate"])
        _ = try bench.json("edits", "disable", id, "3")
        #expect(try picture() == turned)
        let enabled = try bench.run("edits", "enable", id, "2")
        #expect(enabled.status == 69, "\(enabled.errors)")
        #expect(try isClean())
    }
}
