// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of `--memory`, `--nice` and `--jobs` of commands that edit and export.
@Suite("limits of rendering")
struct RenderingLimitTests {
    private let bench: Workbench
    private let ids: [String]

    init() throws {
        (bench, ids) = try Workbench.withPhotos(3)
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        try bench.assumeReproducing()
    }

    @Test("with little memory, photos are edited and exported one at a time, with equal results")
    func memory() throws {
        let limits = ["--memory", "1K", "--jobs", "4", "--nice"]
        let adder = ["--with", "adder", "--set", "amount=7"]
        let edited = try bench.json(["edit", "--all"] + adder + limits)
        #expect(
            edited.compactMap { $0["status"] as? String } == Array(repeating: "committed", count: 3)
        )
        let each = try bench.json(["edit", "--all", "--append", "--keep-going"] + adder + limits)
        #expect(each.count == 3)
        let (limited, plain) = (bench.folder.file("limited"), bench.folder.file("plain"))
        _ = try bench.json(["export", "--all", "--format", "webp", "--to", limited] + limits)
        _ = try bench.json("export", "--all", "--format", "webp", "--to", plain)
        let applied = bench.folder.file("applied")
        _ = try bench.json(
            ["apply", bench.folder.file("photos"), "--to", applied] + adder + limits)
        for name in try ExportedFiles.names(in: plain) {
            let paths = [limited, plain].map { "\($0)/\(name)" }
            #expect(
                FileManager.default.contentsEqual(atPath: paths[0], andPath: paths[1]), "\(name)")
        }
        #expect(try ExportedFiles.names(in: applied).count == 3)
    }

    @Test("--memory limits the number of photos that are rendered at the same time")
    func concurrency() throws {
        let wait = ["edit", "--all", "--with", "adder", "--set", "amount=7", "--set", "mode=wait"]
        let limited = try RunningCommand(bench, wait + ["--jobs", "3", "--memory", "1K"])
        for _ in ids {
            try limited.waitUntilWaiting()
            // Enough time for the plug-ins of other photos to start.
            usleep(300_000)
            #expect(limited.waitingCount == 1)
            try limited.letFinish()
        }
        #expect(try limited.status() == 0, "\(limited.output)")
        let free = try RunningCommand(bench, wait + ["--replace", "--jobs", "3"])
        try free.waitUntilWaiting(count: ids.count)
        free.send(SIGINT)
        #expect(try free.status() == 130)
    }

    @Test("an edit with --nice runs all its runners at low priority, also after --then")
    func nice() throws {
        let wait = ["adder", "--set", "amount=7", "--set", "mode=wait"]
        let kind = __priority_which_t(PRIO_PROCESS.rawValue)
        let before = getpriority(kind, 0)
        for words in [
            ["--nice", "--with"] + wait, ["--with"] + wait + ["--then", "adder", "--nice"],
        ] {
            let command = try RunningCommand(bench, ["edit", ids[0], "--append"] + words)
            try command.waitUntilWaiting()
            let runners = Children.all(of: command.pid)
            let priority = try #require(runners.map { getpriority(kind, id_t($0)) }.min())
            #expect(priority >= max(10, before))
            // Not every kernel has groups.
            for runner in runners {
                let file = "/proc/\(runner)/autogroup"
                guard let group = try? String(contentsOfFile: file, encoding: .utf8) else {
                    continue
                }
                #expect(group.hasSuffix(" nice \(priority)\n"))
            }
            command.send(SIGINT)
            #expect(try command.status() == 130)
        }
    }

    @Test("sizes without a unit are rejected")
    func usage() throws {
        let out = bench.folder.file("out")
        let commands = [
            ["edit", ids[0], "--with", "adder"], ["export", ids[0], "--to", out],
            ["apply", "a.png", "--with", "adder", "--to", out],
        ]
        for command in commands {
            #expect(try bench.run(command + ["--memory", "2"]).status == 64)
            #expect(try bench.run(command + ["--jobs", "0"]).status == 64)
        }
    }
}
