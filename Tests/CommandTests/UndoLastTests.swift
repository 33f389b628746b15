// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Tests of `undo --last`.
@Suite("undo of the last batch")
struct UndoLastTests {
    private let bench: Workbench
    private let ids: [String]

    init() throws {
        (bench, ids) = try Workbench.withPhotographs(3, extensions: ["SepiaFilter", "CropRotate"])
    }

    private func undone() throws -> Set<String> {
        Set(try bench.json("undo", "--last").compactMap { $0["id"] as? String })
    }

    private func positions() throws -> [Int] { try ids.map { try bench.position($0).current } }

    @Test("only photos that the last edit changed are undone, batch by batch")
    func batches() throws {
        _ = try bench.json("edit", ids[0], "--with", "sepia", "--set", "intensity=0.5")
        _ = try bench.json("edit", "--all", "--with", "sepia", "--set", "intensity=0.5")
        _ = try bench.json(
            "edit", ids[0], ids[1], "--with", "croprotate", "--set", "turns=1")
        // Other changes are not edits.
        _ = try bench.run("favorite", ids[2])
        _ = try bench.json("rerender", "--all", "--force")
        #expect(try undone() == Set(ids[..<2]))
        #expect(try positions() == [1, 1, 1])
        #expect(try undone() == Set(ids[1...]))
        #expect(try positions() == [1, 0, 0])
        #expect(try undone() == [ids[0]])
        #expect(try positions() == [0, 0, 0])
        #expect(try bench.run("undo", "--last").errors.contains("nothing to do"))
    }

    @Test("photos that were changed again are skipped and counted; a revert is undone")
    func later() throws {
        _ = try bench.json("edit", "--all", "--with", "sepia")
        _ = try bench.json("undo", ids[1])
        let result = try bench.run("undo", "--last", "--json")
        #expect(try result.objects.count == 2)
        #expect(
            result.errors.contains("1 photo was changed again or deleted since then"),
            "\(result.errors)")
        _ = try bench.json("redo", "--all")
        _ = try bench.json("revert", ids[0], ids[1])
        #expect(try undone() == Set(ids[..<2]))
        #expect(try positions() == [1, 1, 1])
        // The edit is the last one again.
        #expect(try undone() == Set(ids))
    }

    @Test("--last does not accept a selection")
    func wrong() throws {
        for words in [[ids[0]], ["--all"], ["--favorite"], ["--limit", "1"]] {
            let result = try bench.run(["undo", "--last"] + words)
            #expect(result.status == 64, "\(words): \(result.errors)")
        }
    }
}
