// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The values that edits set, as shown by `show` and `history`.
@Suite("values of edits")
struct EditValuesTests {
    private let bench: Workbench
    private let id: String

    init() throws {
        let ids: [String]
        (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter", "CropRotate"])
        id = ids[0]
        _ = try bench.json("edit", id, "--with", "sepia", "--set", "intensity=0.4")
        _ = try bench.json("edit", id, "--with", "croprotate", "--set", "turns=1")
    }

    @Test("show and history print an edit's values as text and JSON")
    func told() throws {
        let shown = try bench.run("show", id)
        #expect(shown.output.contains("org.edithost.sepia  intensity 0.4"), "\(shown.output)")
        #expect(shown.output.contains("turns 1"), "\(shown.output)")
        let edits = try #require(try bench.json("show", id)[0]["edits"] as? [[String: Any]])
        let values = edits.map { $0["values"] as? [String: Any] }
        #expect(values[0]?["intensity"] as? Double == 0.4)
        #expect(values[1]?["turns"] as? Int == 1)
        #expect(edits.allSatisfy { $0["valuesError"] is NSNull })
        #expect(edits.allSatisfy { ($0["recipeSize"] as? Int ?? 0) > 0 })
        let history = try bench.json("history", id)
        #expect(history[0]["values"] is NSNull)
        #expect((history[1]["values"] as? [String: Any])?["intensity"] as? Double == 0.4)
        #expect(try bench.run("history", id).output.contains("intensity 0.4"))
    }

    @Test("history --diff lists the differences between successive or given states")
    func differences() throws {
        _ = try bench.json("edit", id, "--with", "croprotate", "--set", "turns=2")
        _ = try bench.json("edits", "remove", id, "1")
        let lines = try bench.run("history", id, "--diff").output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("state ") }.count == 4, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  + org.edithost.sepia  intensity 0.4") })
        #expect(lines.contains("  ~ org.edithost.croprotate  turns 1 -> 2"), "\(lines)")
        #expect(lines.contains("  - org.edithost.sepia  intensity 0.4"), "\(lines)")
        let object = try bench.json("history", id, "--diff", "--from", "1", "--to", "3")
        #expect(object.count == 1)
        let changes = try #require(object[0]["changes"] as? [[String: Any]])
        #expect(changes.count == 1 && changes[0]["change"] as? String == "added")
        let turns = (changes[0]["values"] as? [String: [Any]])?["turns"]
        #expect(turns?[0] is NSNull && turns?[1] as? Int == 2)
        let same = try bench.run("history", id, "--diff", "--from", "2", "--to", "2")
        #expect(same.output.contains("nothing"))
        #expect(try bench.run("history", id, "--diff", "--from", "9").status == 64)
        #expect(try bench.run("history", id, "--from", "1").status == 64)
    }

    @Test(
        "successive edits of one extension are matched by recipe; disabled ones are not removals"
    )
    func sameExtension() throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        let id = ids[0]
        _ = try bench.json(
            "edit", id, "--with", "sepia", "--set", "intensity=0.2", "--then", "sepia", "--set",
            "intensity=0.4")
        _ = try bench.json("edits", "disable", id, "1")
        _ = try bench.json("edits", "remove", id, "1")
        func changes(_ from: Int, _ to: Int) throws -> [String] {
            try bench.run("history", id, "--diff", "--from", "\(from)", "--to", "\(to)").output
                .split(separator: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let count = try bench.json("history", id).count - 1
        #expect(try changes(count - 2, count - 1) == ["~ org.edithost.sepia  disabled"])
        #expect(try changes(count - 1, count - 2) == ["~ org.edithost.sepia  enabled"])
        #expect(try changes(count - 1, count) == ["- org.edithost.sepia  intensity 0.2"])
        let object = try bench.json(
            "history", id, "--diff", "--from", "\(count - 2)", "--to", "\(count - 1)")
        let told = try #require(object[0]["changes"] as? [[String: Any]])
        #expect(told.map { $0["change"] as? String } == ["disabled"])
        // A changed recipe and a disabled edit between the same two states.
        let other = try bench.importPicture(seed: 5)
        for value in ["0.2", "0.4"] {
            _ = try bench.json("edit", other, "--with", "sepia", "--set", "intensity=\(value)")
        }
        _ = try bench.json("edits", "disable", other, "1")
        let both = try bench.json("history", other, "--diff", "--from", "1", "--to", "3")
        let kinds = try #require(both[0]["changes"] as? [[String: Any]])
        #expect(kinds.map { $0["change"] as? String } == ["changed", "disabled"])
    }

    @Test("an edit of a missing extension shows its name, format and recipe size")
    func missing() throws {
        let before = try bench.json("show", id)
        let folder = bench.folder.file("extensions")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let sepia = try #require(names.first { $0.lowercased().contains("sepia") })
        try FileManager.default.removeItem(atPath: "\(folder)/\(sepia)")
        let shown = try bench.run("show", id)
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(
            shown.output.contains(
                "org.edithost.sepia (the extension org.edithost.sepia is not installed; org.edithost.sepia 1.0, "
            ), "\(shown.output)")
        let edits = try #require(try bench.json("show", id)[0]["edits"] as? [[String: Any]])
        #expect(edits[0]["values"] is NSNull)
        #expect((edits[0]["valuesError"] as? String)?.contains("not installed") == true)
        #expect((edits[1]["values"] as? [String: Any])?["turns"] as? Int == 1)
        #expect((before[0]["edits"] as? [Any])?.count == 2)
        let usage = try bench.json("extensions", "usage")
        #expect(
            usage.map { $0["extension"] as? String } == [
                "org.edithost.croprotate", "org.edithost.sepia",
            ])
        #expect(usage.allSatisfy { $0["edits"] as? Int ?? 0 > 0 && $0["assets"] as? Int == 1 })
        #expect(usage[0]["installedVersion"] as? String == "1.1" && usage[0]["unusable"] is NSNull)
        #expect(
            usage[1]["installedVersion"] is NSNull && usage[1]["unusable"] as? String == "missing")
        #expect(try bench.run("extensions", "usage", "sepia").output.contains("missing"))
        let none = try bench.run("extensions", "usage", "nothing")
        #expect(none.status == 0 && none.errors.contains("no edit depends on nothing"))
        let lines = try bench.run("history", id, "--diff").output
        #expect(lines.contains("not installed"), "\(lines)")
    }

    @Test("a trimmed video shows its values without opening the video")
    func video() throws {
        let bench = try Workbench(extensions: ["Trim"])
        let path = bench.folder.file("a.mp4")
        try TestVideo.make(path, size: "64x48", seconds: 2, [])
        let id = try #require(try bench.json("import", path)[0]["id"] as? String)
        let edited = try bench.run("edit", id, "--with", "trim", "--set", "start=0.5")
        try #require(edited.status == 0, "\(edited.errors)")
        let shown = try bench.run("show", id)
        #expect(shown.output.contains("start 0.5"), "\(shown.output)")
    }
}
