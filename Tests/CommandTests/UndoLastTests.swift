// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryTestSupport
import TestSupport
import Testing

/// Tests of `undo --last` after edits.
@Suite("undo of the last batch")
struct UndoLastTests {
    private let bench: Workbench
    private let ids: [String]

    init() throws {
        (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter", "CropRotate"])
    }

    /// Undoes the last command, and returns the photos with this status.
    private func undone(_ status: String = "undone") throws -> Set<String> {
        let rows = try bench.json("undo", "--last")
        return Set(
            rows.filter { $0["status"] as? String == status }.compactMap { $0["id"] as? String })
    }

    private func positions() throws -> [Int] { try ids.map { try bench.position($0).current } }

    @Test("only photos that the last command changed are undone, command by command")
    func batches() throws {
        _ = try bench.json("edit", ids[0], "--with", "sepia", "--set", "intensity=0.5")
        _ = try bench.json("edit", "--all", "--with", "sepia", "--set", "intensity=0.5")
        _ = try bench.json(
            "edit", ids[0], ids[1], "--with", "croprotate", "--set", "turns=1")
        _ = try bench.run("favorite", ids[2])
        // Renderings are not undone.
        _ = try bench.json("rerender", "--all", "--force")
        #expect(try undone() == [ids[2]])
        #expect(try positions() == [2, 2, 1])
        #expect(try undone() == Set(ids[..<2]))
        #expect(try positions() == [1, 1, 1])
        #expect(try undone() == Set(ids[1...]))
        #expect(try positions() == [1, 0, 0])
        #expect(try undone() == [ids[0]])
        #expect(try positions() == [0, 0, 0])
    }

    @Test("photos that were changed again are left and reported; a revert is undone")
    func later() throws {
        _ = try bench.json("edit", "--all", "--with", "sepia")
        _ = try bench.json("undo", ids[1])
        // The photo that was undone already has the state before.
        #expect(try undone() == [ids[0], ids[2]])
        #expect(try positions() == [0, 0, 0])
        _ = try bench.json("redo", "--all")
        _ = try bench.json("edit", ids[1], "--with", "croprotate", "--set", "turns=1")
        _ = try bench.json("revert", ids[0], ids[1])
        #expect(try undone() == Set(ids[..<2]))
        #expect(try positions() == [1, 2, 1])
        let edit = try #require(
            try bench.json("log").last { $0["command"] as? String == "edit" }?["entry"] as? String)
        let left = try bench.run("undo", edit)
        #expect(left.errors.contains("left edits of picture1.png"), "\(left.errors)")
        #expect(left.errors.contains("changed since"), "\(left.errors)")
        #expect(try positions() == [0, 2, 0])
    }

    @Test("the last edit of a library that was just upgraded is undone, after newer commands")
    func upgraded() throws {
        _ = try bench.json("edit", ids[0], ids[1], "--with", "sepia")
        try OldLibrary.downgrade(bench.folder.file("Photos.editlibrary"), to: 16)
        #expect(try bench.run("undo", "--last", "--dry-run").errors.contains("2 photos"))
        _ = try bench.json("favorite", ids[2])
        #expect(try undone() == [ids[2]])
        let rows = try bench.json("undo", "--last")
        #expect(rows.map { $0["state"] as? Int } == [0, 0])
        #expect(try positions() == [0, 0, 0])
        #expect(try bench.run("undo", "--last").errors.contains("nothing to do"))
        #expect(try bench.json("log").last?["command"] is NSNull)
    }

    @Test("--last does not accept a selection, and --dry-run needs a command")
    func wrong() throws {
        for words in [[ids[0]], ["--all"], ["--favorite"], ["--limit", "1"], ["@1"]] {
            let result = try bench.run(["undo", "--last"] + words)
            #expect(result.status == 64, "\(words): \(result.errors)")
        }
        for words in [[ids[0], "--dry-run"], ["@1", "@2"], ["@1", ids[0]], ["@x"], ["@"]] {
            let result = try bench.run(["undo"] + words)
            #expect(result.status == 64, "\(words): \(result.errors)")
        }
        #expect(try bench.run("undo", "@999999").status == 66)
    }
}
