// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of the filter `--stale`.
@Suite("the filter for stale pictures")
struct StaleFilterTests {
    private let bench: Workbench
    private let ids: [String]

    /// Four photos. The first three are edited, and the extension has changed since the edits of the first two.
    init() throws {
        (bench, ids) = try Workbench.withPhotos(4)
        let extensions = bench.folder.file("extensions")
        try TestExtension.buildAdder(in: extensions)
        try bench.assumeReproducing()
        _ = try bench.json("edit", ids[0], ids[1], "--with", "adder", "--set", "amount=7")
        try TestExtension.buildAdder(
            defines: ["DRAWS_ELSE", "VERSION=\"2.0\""], manifest: ["version": "2.0"],
            in: extensions)
        try bench.assumeReproducing()
        _ = try bench.json("edit", ids[2], "--with", "adder", "--set", "amount=7")
    }

    private func listed(_ arguments: String...) throws -> Set<String> {
        Set(try bench.json(["list", "--stale"] + arguments).compactMap { $0["id"] as? String })
    }

    @Test("list finds the photos that rerender would render, with other filters, order and limit")
    func list() throws {
        #expect(try listed() == Set(ids[..<2]))
        let planned = try bench.json("rerender", "--all", "--dry-run").compactMap {
            $0["status"] as? String == "stale" ? $0["id"] as? String : nil
        }
        #expect(try listed() == Set(planned))
        _ = try bench.json("favorite", ids[1], ids[2])
        #expect(try listed("--favorite") == [ids[1]])
        #expect(try listed("--sort", "added:desc", "--limit", "1") == [ids[1]])
        #expect(try listed("--unedited") == [])
        _ = try bench.json("rerender", "--stale")
        #expect(try listed() == [])
        #expect(try bench.run("list", "--stale").output == "no photos\n")
    }

    @Test("commands on several photos accept it; export distinguishes it from its option")
    func commands() throws {
        _ = try bench.json("set", "--stale", "--keyword", "again")
        let found = try bench.json("list", "--keyword", "again").compactMap { $0["id"] as? String }
        #expect(Set(found) == Set(ids[..<2]))
        let out = bench.folder.file("out")
        let kept = try bench.json("export", "--to", out, "--stale", "keep", "--stale")
        #expect(Set(kept.compactMap { $0["id"] as? String }) == Set(ids[..<2]))
        #expect(try listed() == Set(ids[..<2]))
        #expect(try bench.run("edits", "list", ids[0], "--stale").status == 64)
        _ = try bench.json("edit", "--stale", "--keep-going", "--with", "adder", "--append")
        #expect(try bench.position(ids[0]) == (2, 2))
        #expect(try bench.position(ids[2]) == (1, 1))
        _ = try bench.json("undo", "--all")
        let rendered = try bench.json("export", "--stale", "--to", out)
        #expect(Set(rendered.compactMap { $0["id"] as? String }) == Set(ids[..<2]))
        #expect(try listed() == [])
    }

    @Test("a picture whose extension is missing is not stale")
    func missing() throws {
        try FileManager.default.removeItem(
            atPath: bench.folder.file("extensions/adder.editingextension"))
        #expect(try listed() == [])
    }
}
