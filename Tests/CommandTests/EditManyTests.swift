// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Edits of many photos by one command, and their undo by another.
@Suite("editing many photos")
struct EditManyTests {
    private let bench: Workbench
    private let ids: [String]

    init() throws {
        (bench, ids) = try Workbench.withPhotos(6, extensions: ["SepiaFilter"])
    }

    private func positions() throws -> [Int] {
        try ids.map { try bench.position($0).current }
    }

    /// Runs the command with another program's output as standard input.
    private func piped(_ source: String, _ arguments: [String]) throws -> ProcessResult {
        try runProgram(
            "/bin/sh",
            ["-c", "\(source) | exec \"$0\" \"$@\"", try Workbench.command] + arguments,
            environment: bench.environment(), folder: bench.folder.path)
    }

    @Test(
        "photos selected by a filter are edited and undone as one change")
    func filtered() throws {
        for id in ids.prefix(4) { _ = try bench.json("set", id, "--keyword", "boats") }
        let token = try #require(
            try bench.json("watch", "--since", "start", "--no-wait").last?["token"] as? String)
        let edited = try bench.json("edit", "--text", "boats", "--with", "sepia")
        #expect(Set(edited.compactMap { $0["id"] as? String }) == Set(ids.prefix(4)))
        #expect(try positions() == [1, 1, 1, 1, 0, 0])
        let undone = try bench.json("undo", "--edited-by", "sepia")
        #expect(undone.count == 4 && undone.allSatisfy { $0["state"] as? Int == 0 })
        #expect(try positions() == [0, 0, 0, 0, 0, 0])
        let redone = try bench.json("redo", "--all")
        #expect(Set(redone.compactMap { $0["id"] as? String }) == Set(ids.prefix(4)))
        #expect(try positions() == [1, 1, 1, 1, 0, 0])
        let reverted = try bench.json("revert", "--text", "boats", "--limit", "3")
        #expect(reverted.count == 3)
        #expect(try positions().reduce(0, +) == 1)
        // Each photo was a separate change of the library.
        let changes = try bench.json("watch", "--no-wait", "--since", token)
        let tokens = Set(changes.compactMap { $0["token"] as? String })
        #expect(tokens.count == 4, "\(tokens)")
    }

    @Test(
        "a thousand photos selected by a filter are edited and undone by one command each",
        .torture)
    func thousandTorture() throws {
        try FileManager.default.createDirectory(
            atPath: bench.folder.file("many"), withIntermediateDirectories: true)
        for seed in 10..<1010 {
            // Only 200 seeds give different pictures, so the width varies too.
            let picture = TestPicture.gradient(width: 20 + seed / 200, height: 20, seed: seed % 200)
            _ = try bench.folder.write(picture.encoded(), to: "many/\(seed).png")
        }
        #expect(try bench.json("import", bench.folder.file("many")).count >= 1000)
        let edited = try bench.json("edit", "--media-type", "image", "--with", "sepia")
        #expect(edited.count == 1006)
        #expect(edited.allSatisfy { $0["status"] as? String == "committed" })
        let again = try bench.json("rerender", "--all")
        #expect(again.last?["upToDate"] as? Int == 1006)
        let undone = try bench.json("undo", "--edited-by", "sepia")
        #expect(undone.count == 1006 && undone.allSatisfy { $0["state"] as? Int == 0 })
        #expect(try bench.run("check").status == 0)
    }

    @Test("named photos keep their order; only named ones report that there is nothing to undo")
    func named() throws {
        _ = try bench.json("edit", ids[3], ids[1], "--with", "sepia")
        let undone = try bench.run("undo", ids[1], ids[0], ids[3])
        #expect(undone.status == 0)
        let lines = undone.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[1].contains("nothing to undo"))
        #expect(lines[0].hasPrefix(ids[1].prefix(8)) && lines[2].hasPrefix(ids[3].prefix(8)))
        let nothing = try bench.run("undo", "--all")
        #expect(nothing.status == 0 && nothing.output.isEmpty)
        #expect(nothing.errors.contains("nothing to do"))
        #expect(try bench.run("undo").status == 64)
        #expect(try bench.run("undo", ids[0], "--all").status == 64)
    }

    @Test("reads identifiers from another program as text or JSON")
    func standardInput() throws {
        let text = try piped("\"$0\" list --limit 2", ["edit", "-", "--with", "sepia"])
        #expect(text.status == 0, "\(text.errors)")
        #expect(try positions().reduce(0, +) == 2)
        let json = try piped("\"$0\" list --edited --json", ["undo", "-", "--json"])
        #expect(json.status == 0, "\(json.errors)")
        #expect(try json.objects.count == 2)
        #expect(try positions().reduce(0, +) == 0)
        let list = try piped(
            "printf '%s\\n\\n  %s and more\\n' \(ids[0]) \(ids[5])",
            ["edit", "-", ids[2], "--with", "sepia"])
        #expect(list.status == 0, "\(list.errors)")
        #expect(try positions() == [1, 0, 1, 0, 0, 1])
        let wrong = try piped("echo nobody", ["edit", "-", "--with", "sepia"])
        #expect(wrong.status == 66 && wrong.errors.contains("nobody"), "\(wrong.errors)")
        let odd = try piped("echo '{\"id\": 1}'", ["revert", "-"])
        #expect(odd.status == 66, "\(odd.errors)")
        let sums = try piped("\"$0\" rerender \(ids[0]) --json", ["revert", "-", "--json"])
        #expect(sums.status == 0, "\(sums.errors)")
        #expect(try positions() == [0, 0, 1, 0, 0, 1])
        let none = try piped("true", ["edit", "-", "--with", "sepia"])
        #expect(none.status == 0 && none.output.isEmpty, "\(none.errors)")
        let image = try piped(
            "\"$0\" list", ["image", "-", "--output", bench.folder.file("one.png")])
        #expect(image.status == 64 && image.errors.contains("--output is for one photo"))
    }

    @Test("undo of several photos is all or nothing")
    func allOrNone() throws {
        _ = try bench.json("edit", "--all", "--with", "sepia", "--set", "intensity=0.5")
        _ = try bench.json("edit", "--all", "--with", "sepia", "--set", "intensity=1")
        #expect(try positions() == [2, 2, 2, 2, 2, 2])
        // The first state of one photo is neither stored nor can it be re-rendered.
        #expect(try bench.run("prune", "--keep", "0").status == 0)
        try EditTests.loseOriginal(of: ids[4], in: bench)
        let undone = try bench.run("undo", "--all")
        #expect(undone.status != 0 && undone.errors.contains(ids[4]), "\(undone.errors)")
        #expect(try positions() == [2, 2, 2, 2, 2, 2])
    }
}
