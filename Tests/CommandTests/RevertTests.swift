// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Tests of `revert`, and of `undo` and `redo` after it.
@Suite("revert command")
struct RevertTests {
    private let bench: Workbench
    private let ids: [String]

    init() throws {
        (bench, ids) = try Workbench.withPhotos(2, extensions: ["SepiaFilter", "CropRotate"])
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        _ = try bench.json("edit", ids[0], "--with", "croprotate", "--set", "turns=1")
        _ = try bench.json("edit", ids[0], "--with", "croprotate", "--set", "turns=2")
    }

    private func state(_ arguments: String...) throws -> Int? {
        try bench.json(arguments).first?["state"] as? Int
    }

    @Test("an undo after a revert restores the state before it, and what can be redone")
    func undo() throws {
        #expect(try state("undo", ids[0]) == 2)
        #expect(try state("revert", ids[0]) == 0)
        #expect(try state("revert", ids[0]) == 0)
        let undone = try bench.run("undo", ids[0])
        #expect(undone.output.contains("now in state 2 of 3"), "\(undone)")
        #expect(try state("redo", ids[0]) == 3)
        // Without a revert, an undo of the first edit cannot be undone again.
        #expect(try state("revert", ids[0]) == 0)
        #expect(try state("redo", ids[0]) == 1)
        #expect(try state("undo", ids[0]) == 0)
        let none = try bench.run("undo", ids[0])
        #expect(none.output.contains("nothing to undo"), "\(none)")
    }

    @Test("filters find reverted photos for undo, and renditions that were removed are rendered")
    func batch() throws {
        _ = try bench.json("edit", ids[1], "--with", "sepia")
        #expect(try bench.json("revert", "--all").count == 2)
        #expect(try bench.run("revert", "--all").errors.contains("nothing to do"))
        _ = try bench.json("prune")
        let states = try bench.json("undo", "--all").compactMap { $0["state"] as? Int }
        #expect(states.sorted() == [1, 3])
        #expect(try bench.json("rerender", "--all").last?["upToDate"] as? Int == 2)
        #expect(try bench.run("check").status == 0)
    }

    @Test("an edit after a revert discards the state before it")
    func edited() throws {
        #expect(try state("revert", ids[0]) == 0)
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        #expect(try bench.position(ids[0]) == (1, 1))
        #expect(try state("undo", ids[0]) == 0)
        #expect(try bench.run("undo", ids[0]).output.contains("nothing to undo"))
    }
}
