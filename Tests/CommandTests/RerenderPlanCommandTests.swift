// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of `rerender`: its plan, missing originals, several processes, and kills.
@Suite("rerender command")
struct RerenderPlanCommandTests {
    private let bench: Workbench
    private let ids: [String]

    init() throws {
        (bench, ids) = try Workbench.withPhotos(5)
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        try bench.assumeReproducing()
        _ = try bench.json(["edit", "--all", "--with", "adder", "--set", "amount=7"])
    }

    /// The hashes of the photos' current pictures.
    private func pictures(_ library: String? = nil) throws -> [String] {
        try ids.map { id in
            let place = library.map { ["--library", $0] } ?? []
            let resources = try bench.json(["resources", id] + place)
            return try #require(
                resources.first { $0["type"] as? String == "fullSizePhoto" }?["hash"] as? String)
        }
    }

    /// Rebuilds the extension so that it renders the same pictures.
    private func rebuild() throws {
        try TestExtension.buildAdder(defines: ["ASK"], in: bench.folder.file("extensions"))
    }

    private func counts(_ result: ProcessResult) throws -> (rendered: Int, failed: Int) {
        let last = try #require(try result.objects.last)
        return (last["rendered"] as? Int ?? -1, last["failed"] as? Int ?? -1)
    }

    @Test("several missing files are reported in the plural")
    func plural() throws {
        let blobs = Set(try pictures())
        for hash in blobs {
            let folder = bench.folder.file("Photos.editlibrary/blobs/\(hash.prefix(2))")
            #expect(unlink("\(folder)/\(hash)") == 0)
        }
        let dry = try bench.run("rerender", "--all", "--explain", "--dry-run")
        #expect(dry.output.hasPrefix("5 stale: 5 because their files are missing; "), "\(dry)")
        _ = try bench.run("rerender", ids[0])
        let filtered = try bench.run("rerender", "--missing", "--dry-run")
        #expect(filtered.status == 0, "\(filtered.errors)")
    }

    @Test(
        "rerender only counts current renditions and lists the stale ones in order"
    )
    func counted() throws {
        for _ in 0..<2 {
            let idle = try bench.run("rerender", "--all")
            #expect(idle.output == "0 rendered, 5 up to date, 0 failed\n", "\(idle)")
        }
        let order = try bench.json(["list"]).compactMap { $0["id"] as? String }
        #expect(Set(order) == Set(ids))
        let pictures = try pictures()
        for index in [3, 1] {
            let hash = pictures[try #require(ids.firstIndex(of: order[index]))]
            #expect(
                unlink(bench.folder.file("Photos.editlibrary/blobs/\(hash.prefix(2))/\(hash)")) == 0
            )
        }
        let dry = try bench.run("rerender", "--all", "--dry-run")
        #expect(dry.output.hasSuffix("\n2 to render, 3 up to date, 0 failed\n"), "\(dry)")
        #expect(dry.output.split(separator: "\n").count == 3)
        let real = try bench.run("rerender", "--all")
        let lines = real.output.split(separator: "\n")
        #expect(lines.count == 3 && lines.last == "2 rendered, 3 up to date, 0 failed", "\(real)")
        for (line, index) in zip(lines, [1, 3]) {
            #expect(line.hasPrefix(order[index].prefix(8)) && line.hasSuffix("  rendered"))
        }
        let idle = try bench.run("rerender", "--all")
        #expect(idle.output == "0 rendered, 5 up to date, 0 failed\n", "\(idle)")
        let named = try bench.json(["rerender", "--all"])
        #expect(named.dropLast().compactMap { $0["id"] as? String } == order)
    }

    @Test("-explain first prints how many are stale, and why")
    func explained() throws {
        let idle = try bench.run("rerender", "--all", "--explain")
        #expect(idle.output.hasPrefix("0 stale; 5 up to date\n"), "\(idle.output)")
        try rebuild()
        let dry = try bench.run("rerender", "--all", "--explain", "--dry-run")
        let line =
            "5 stale: 5 because another build of org.example.adder is installed; 0 up to date\n"
        #expect(dry.output.hasPrefix(line), "\(dry.output)")
        let json = try bench.run("rerender", "--all", "--explain", "--json", "--nice")
        let plan = try #require(try json.objects.first?["plan"] as? [String: Any])
        #expect(plan["stale"] as? Int == 5 && plan["upToDate"] as? Int == 0)
        #expect(plan["failed"] as? Int == 0)
        let reasons = try #require(plan["reasons"] as? [[String: Any]])
        #expect(reasons.count == 1 && reasons[0]["count"] as? Int == 5)
        #expect(try counts(json).rendered == 5)
        let bounded = try bench.run(
            "rerender", "--all", "--force", "--memory", "1M", "--jobs", "4", "--json")
        #expect(try counts(bounded).rendered == 5, "\(bounded.errors)")
        for size in ["0M", "5", "M", "-1G", "9999999999T"] {
            #expect(try bench.run("rerender", "--all", "--memory", size).status == 64, "\(size)")
        }
    }

    @Test(
        "a missing extension skips its photos; --missing-extensions fail renders nothing"
    )
    func missing() throws {
        try TestExtension.buildAdder("org.example.other", in: bench.folder.file("extensions"))
        _ = try bench.json("edit", ids[0], "--with", "other")
        let before = try pictures()
        let folder = bench.folder.file("extensions")
        try FileManager.default.removeItem(atPath: "\(folder)/other.editingextension")
        try rebuild()
        let explained = try bench.run("rerender", "--all", "--explain", "--dry-run")
        #expect(
            explained.output.contains(
                "; 1 cannot be rendered: 1 because org.example.other: the last edit cannot be applied again"
            ),
            "\(explained.output)")
        let all = try bench.run("rerender", "--all", "--missing", "fail", "--json")
        for words in [["--missing=fail"], ["--missing-extensions", "fail"]] {
            #expect(try bench.run(["rerender", "--all"] + words).status == all.status)
        }
        #expect(all.status == 69, "\(all.errors)")
        #expect(
            all.errors.contains("org.example.other") && all.errors.contains("nothing was rendered"))
        #expect(try all.objects.map { $0["errorCode"] as? String } == ["unavailable"])
        let some = try bench.run("rerender", "--all", "--json")
        #expect(some.status == 1, "\(some.errors)")
        #expect(try counts(some) == (4, 1))
        #expect(try pictures() == before)
    }

    @Test("two processes share the work without duplicating it")
    func shared() async throws {
        try rebuild()
        let bench = bench
        async let first = Task.detached {
            try bench.run("rerender", "--all", "--json", "--jobs", "1")
        }.value
        async let second = Task.detached {
            try bench.run("rerender", "--all", "--json", "--jobs", "1")
        }.value
        let results = try await [first, second]
        #expect(results.map(\.status) == [0, 0])
        let rendered = try results.map { try counts($0).rendered }
        #expect(rendered.reduce(0, +) == 5, "\(rendered)")
    }

    @Test("a killed process leaves no claim, and claims of other processes are awaited")
    func claims() throws {
        _ = try bench.json("undo", "--all")
        let waiting = try RunningCommand(
            bench, ["edit", ids[0], "--with", "adder", "--set", "amount=7", "--set", "mode=wait"])
        try waiting.waitUntilWaiting()
        try waiting.letFinish()
        #expect(try waiting.status() == 0)
        let command = try RunningCommand(bench, ["rerender", ids[0], "--force", "--json"])
        try command.waitUntilWaiting()
        let other = try RunningCommand(bench, ["rerender", "--all", "--force", "--json"])
        // The other process has nothing else to render and waits for the first.
        command.send(SIGKILL)
        try command.waitUntilEnded()
        try command.letFinish()
        try other.waitUntilWaiting()
        try other.letFinish()
        #expect(try other.status() == 0)
        #expect(try bench.run("check").status == 0)
    }

    @Test("M-08 ten kills at random points give the same renditions as an uninterrupted run")
    func killed() throws {
        let seed = TestSeed.seed()
        var generator = SeededGenerator(seed: seed)
        try rebuild()
        let library = bench.folder.file("Photos.editlibrary")
        let copy = bench.folder.file("Copy.editlibrary")
        try FileManager.default.copyItem(atPath: library, toPath: copy)
        let whole = try bench.run("rerender", "--all", "--library", copy)
        #expect(whole.status == 0, "\(whole.errors)")
        for _ in 0..<10 {
            let command = try RunningCommand(bench, ["rerender", "--all"])
            usleep(.random(in: 0...150_000, using: &generator))
            command.send(SIGKILL)
            try command.waitUntilEnded()
        }
        let last = try bench.run("rerender", "--all", "--json")
        #expect(try counts(last).failed == 0, "EDITHOST_SEED=\(seed) \(last.errors)")
        #expect(try pictures() == pictures(copy), "EDITHOST_SEED=\(seed)")
        let again = try bench.run("rerender", "--all", "--json")
        #expect(try counts(again) == (0, 0), "EDITHOST_SEED=\(seed)")
        #expect(try bench.run("check", "--read-data", "100").status <= 1, "EDITHOST_SEED=\(seed)")
    }
}
