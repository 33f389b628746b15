// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Edits of several photos, with undo and redo.
@Suite("edit command")
struct EditTests {
    @Test("A-14 ten photos are edited as one change; one failure rolls back all ten")
    func allOrNone() throws {
        let (bench, ids) = try Workbench.withPhotos(10, extensions: ["SepiaFilter"])
        let broken = ids[6]
        try Self.loseOriginal(of: broken, in: bench)
        let result = try runProgram(
            Workbench.command, ["edit", "--with", "sepia", "--json"] + ids,
            environment: bench.environment())
        #expect(result.status == 65, "\(result.status) \(result.errors)")
        let objects = try result.objects
        #expect(objects.map { $0["id"] as? String } == ids)
        #expect(objects.allSatisfy { $0["status"] as? String == "failed" })
        #expect(objects.allSatisfy { ($0["error"] as? String)?.contains(broken) == true })
        for id in ids { #expect(try bench.position(id) == (0, 0)) }
    }

    @Test("A-14 --keep-going commits each photo separately, and the status reports failures")
    func keepGoing() throws {
        let (bench, ids) = try Workbench.withPhotos(10, extensions: ["SepiaFilter"])
        let broken = ids[6]
        try Self.loseOriginal(of: broken, in: bench)
        let result = try runProgram(
            Workbench.command, ["edit", "--keep-going", "--with", "sepia", "--json"] + ids,
            environment: bench.environment())
        #expect(result.status == 1, "\(result.errors)")
        for (id, object) in zip(ids, try result.objects) {
            #expect(object["id"] as? String == id)
            #expect(object["status"] as? String == (id == broken ? "failed" : "committed"))
            #expect((object["error"] as? String == nil) == (id != broken))
            #expect(try bench.position(id) == (id == broken ? (0, 0) : (1, 1)))
        }
    }

    @Test("A-14 ten photos are edited in one change; a repeated identifier is edited once")
    func severalAtOnce() throws {
        let (bench, ids) = try Workbench.withPhotos(10, extensions: ["SepiaFilter"])
        let result = try runProgram(
            Workbench.command, ["edit", "--with", "SEPIA", "--json"] + ids + [ids[0]],
            environment: bench.environment())
        #expect(result.status == 0, "\(result.errors)")
        let objects = try result.objects
        #expect(objects.map { $0["id"] as? String } == ids)
        #expect(objects.allSatisfy { $0["status"] as? String == "committed" })
        let again = try bench.json("edit", ids[0], "--with", "org.edithost.sepia")
        #expect(again.first?["status"] as? String == "unchanged")
    }

    @Test("if every photo fails with --keep-going, the status is that of the first failure")
    func allFail() throws {
        let (bench, _) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        let result = try bench.run(
            "edit", "eeeeeeee-e", "dddddddd-d", "--with", "sepia", "--keep-going")
        #expect(result.status == 66)
        #expect(result.errors.contains("eeeeeeee-e"))
        #expect(result.errors.contains("dddddddd-d"))
    }

    @Test("unnamed parameters keep their values; --reset and --step override this")
    func parameters() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        try TestExtension.buildAdder("org.example.second", in: bench.folder.file("extensions"))
        let (id, original) = (ids[0], TestPicture.gradient())
        func edit(_ name: String, _ arguments: String...) throws -> TestPicture {
            let result = try runProgram(
                Workbench.command, ["edit", id, "--with", name] + arguments,
                environment: bench.environment())
            #expect(result.status == 0, "\(result.errors)")
            return try bench.exported(id, "current").picture
        }
        #expect(try edit("adder", "--set", "amount=7") == original.adding(7))
        #expect(try edit("adder", "--set", "mode=other") == original.adding(7))
        #expect(try edit("adder", "--reset") == original.adding(10))
        #expect(try edit("second", "--set", "amount=5") == original.adding(15))
        #expect(try edit("adder", "--step", "1", "--set", "amount=1") == original.adding(6))
    }

    @Test("undo, redo and revert move through the states; at either end they report it and exit 0")
    func moving() throws {
        let (bench, ids) = try Workbench.withPhotos(
            1, extensions: ["SepiaFilter", "CropRotate"])
        let id = ids[0]
        _ = try bench.json("edit", id, "--with", "sepia")
        _ = try bench.json("edit", id, "--with", "croprotate", "--set", "turns=1")
        for (verb, state) in [
            ("undo", 1), ("undo", 0), ("redo", 1), ("redo", 2), ("revert", 0), ("redo", 1),
        ] {
            let moved = try bench.json(verb, id)
            #expect(moved.first?["state"] as? Int == state, "\(verb)")
            #expect(try bench.position(id).current == state, "\(verb)")
        }
        _ = try bench.json("undo", id)
        for verb in ["undo", "revert"] {
            let result = try bench.run(verb, id)
            #expect(result.status == 0)
            #expect(result.output.contains("nothing to \(verb)"))
        }
        _ = try bench.json("edit", id, "--with", "sepia", "--set", "intensity=0.1")
        for verb in ["undo", "redo"] { _ = try bench.json(verb, id) }
        let result = try bench.run("redo", id)
        #expect(result.status == 0)
        #expect(
            result.output.hasSuffix("  nothing to redo: this is the newest state\n"),
            "\(result.output)")
    }

    /// Removes the stored original of an asset.
    static func loseOriginal(of id: String, in bench: Workbench) throws {
        let bytes = try bench.exported(id, "original").bytes
        let blobs = bench.folder.file("Photos.editlibrary/blobs")
        for name in try FileManager.default.subpathsOfDirectory(atPath: blobs) {
            let path = "\(blobs)/\(name)"
            if FileManager.default.contents(atPath: path) == bytes {
                try FileManager.default.removeItem(atPath: path)
            }
        }
    }
}
