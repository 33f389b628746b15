// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `edits` and `copy-edits`.
@Suite("edits command")
struct EditsCommandTests {
    private let bench: Workbench
    private let ids: [String]

    init() throws {
        (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter", "CropRotate"])
    }

    private func extensions(_ id: String) throws -> [String] {
        try bench.json("edits", "list", id).compactMap { $0["extension"] as? String }
    }

    @Test("edits are listed, moved and removed; each change is one step")
    func rearranged() throws {
        let (sepia, crop) = ("org.edithost.sepia", "org.edithost.croprotate")
        #expect(try bench.run("edits", "list", ids[0]).output.isEmpty)
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        _ = try bench.json("edit", ids[0], "--with", "croprotate", "--set", "turns=1")
        #expect(try extensions(ids[0]) == [sepia, crop])
        let listed = try bench.run("edits", "list", ids[0])
        #expect(listed.output.split(separator: "\n").count == 3)
        let moved = try bench.run("edits", "move", ids[0], "2", "--to", "1")
        #expect(moved.status == 0)
        #expect(moved.output.contains("2 edits: \(crop), \(sepia)"), "\(moved.output)")
        #expect(try extensions(ids[0]) == [crop, sepia])
        let removed = try bench.json("edits", "remove", ids[0], "2")
        #expect(removed[0]["status"] as? String == "committed")
        #expect(try extensions(ids[0]) == [crop])
        _ = try bench.json("undo", ids[0])
        #expect(try extensions(ids[0]) == [crop, sepia])
        for arguments in [
            ["remove", ids[0], "3"], ["remove", ids[0], "1", "2"],
            ["move", ids[0], "1", "--to", "9"],
            ["remove", ids[0], "x"], ["move", ids[0], "1"], ["remove", ids[0]],
        ] {
            #expect(try bench.run(["edits"] + arguments).status == 64, "\(arguments)")
        }
        #expect(try bench.run("edits", "list", "ffffffff").status == 66)
        #expect(try extensions(ids[0]) == [crop, sepia])
    }

    @Test("changing or disabling a lower rotation or crop warns about each crop above it")
    func cuts() throws {
        let id = ids[0]
        func crop(_ number: String) -> String { "crop=0,0,\(number),0.5" }
        _ = try bench.json(
            "edit", id, "--with", "croprotate", "--set", "turns=1", "--then", "sepia", "--then",
            "croprotate", "--set", crop("0.5"), "--then", "croprotate", "--set", crop("0.5"))
        func warns(_ arguments: String...) throws -> Int {
            let result = try bench.run(arguments)
            #expect(result.status == 0, "\(result.errors)")
            _ = try bench.json("undo", id)
            return result.errors.components(separatedBy: "a different crop").count - 1
        }
        #expect(
            try warns("edit", id, "--with", "croprotate", "--step", "1", "--set", "turns=0") == 2)
        #expect(try warns("edits", "disable", id, "1") == 2)
        #expect(try warns("edits", "disable", id, "3") == 1)
        #expect(try warns("edits", "disable", id, "2") == 0)
        #expect(try warns("edits", "remove", id, "2") == 0)
        #expect(
            try warns("edit", id, "--with", "sepia", "--step", "2", "--set", "intensity=0.25") == 0)
    }

    @Test("edits are copied to named photos and to those a filter selects")
    func copied() throws {
        _ = try bench.json("edit", ids[0], "--with", "sepia", "--set", "intensity=0.5")
        _ = try bench.json(
            "edit", ids[0], "--with", "croprotate", "--set", "crop=0.25,0.25,0.5,0.5")
        let copied = try bench.run("copy-edits", ids[0], "--all")
        #expect(copied.status == 0, "\(copied.errors)")
        #expect(copied.output.split(separator: "\n").count == 2)
        // A crop applies only to the picture it was made for.
        #expect(
            copied.errors.contains("org.edithost.croprotate was made for a different photo"))
        for id in ids { #expect(try extensions(id).count == 2) }
        let sepia = try bench.json("copy-edits", ids[0], ids[1], "--only", "sepia", "--replace")
        #expect(sepia[0]["status"] as? String == "committed")
        #expect(try extensions(ids[1]) == ["org.edithost.sepia"])
        let again = try bench.json("copy-edits", ids[0], ids[1], "--only", "sepia", "--replace")
        #expect(again[0]["status"] as? String == "unchanged")
        let itself = try bench.run("copy-edits", ids[0], ids[0])
        #expect(itself.status == 0 && itself.errors.contains("nothing to do"))
        for (arguments, status) in [
            ([ids[0]], Int32(64)), ([ids[0], ids[1], "--replace", "--append"], 64),
            ([ids[0], ids[1], "--only", "nothing"], 69), ([ids[0], "ffffffff"], 66),
        ] {
            #expect(try bench.run(["copy-edits"] + arguments).status == status, "\(arguments)")
        }
    }
}
