// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// A harmful third-party plug-in in the extensions folder.
@Suite("harmful extensions")
struct HarmfulExtensionTests {
    /// A workbench with a good and a bad extension, and two photos.
    private func bench(deleting: Bool = false) throws -> (Workbench, [String]) {
        let (bench, ids) = try Workbench.withPhotos(2)
        let folder = bench.folder.file("extensions")
        try TestExtension.buildAdder("org.example.good", in: folder)
        try TestExtension.buildAdder(
            "org.example.bad",
            defines: deleting ? ["PREY=\"\(bench.folder.path)\""] : [], in: folder)
        return (bench, ids)
    }

    private func edit(_ id: String, _ mode: String) -> [String] {
        ["edit", id, "--with", "bad", "--set", "mode=\(mode)"]
    }

    /// Expects that the other photo can be edited, and that no damage or leftovers remain.
    private func expectUnharmed(_ bench: Workbench, _ other: String, seed: Int) throws {
        #expect(try bench.run("edit", other, "--with", "good", "--set", "amount=3").status == 0)
        let current = try bench.exported(other, "current").picture
        #expect(current == TestPicture.gradient(seed: seed).adding(3))
        #expect(try bench.run("check", "--read-data", "100").status == 0)
        let temporary = bench.folder.file("tmp")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }

    @Test(
        "an extension that crashes or exits fails only its own edit and is named",
        arguments: ["segv", "abort", "exit"])
    func ends(mode: String) throws {
        let (bench, ids) = try bench()
        let result = try bench.run("edit", ids[0], "--with", "bad", "--set", "mode=\(mode)")
        #expect(result.status == 70)
        #expect(result.errors.contains("org.example.bad"))
        #expect(result.errors.contains(ids[0]))
        #expect(try bench.position(ids[0]) == (0, 0))
        try expectUnharmed(bench, ids[1], seed: 1)
    }

    @Test(
        "an extension that loops or exhausts memory is stopped by its budget and named",
        arguments: [("loop", "did not answer within 2 s"), ("eat-memory", "64 MiB of memory")])
    func budgets(mode: String, said: String) throws {
        let (bench, ids) = try bench()
        let folder = bench.folder.file("config/edithost")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let budget = """
            {"budgets": {"org.example.bad": {"wallClockSeconds": \(mode == "loop" ? 2 : 60),
             "memoryBytes": \(64 << 20)}}}
            """
        try Data(budget.utf8).write(to: URL(fileURLWithPath: "\(folder)/config.json"))
        let result = try bench.run("edit", ids[0], "--with", "bad", "--set", "mode=\(mode)")
        #expect(result.status == 70)
        #expect(result.errors.contains("org.example.bad"), "\(result.errors)")
        #expect(result.errors.contains(said), "\(result.errors)")
        #expect(try bench.position(ids[0]) == (0, 0))
        try expectUnharmed(bench, ids[1], seed: 1)
    }

    @Test("an extension cannot delete files, and its edit still succeeds")
    func deletion() throws {
        let (bench, ids) = try bench(deleting: true)
        let result = try bench.run("edit", ids[0], "--with", "bad", "--set", "mode=delete-files")
        #expect(result.status == 0, "\(result.errors)")
        let picture = TestPicture.gradient(seed: 0)
        #expect(try bench.exported(ids[0], "current").picture == picture.adding(10))
        #expect(
            FileManager.default.fileExists(atPath: bench.folder.file("photos/picture0.png")))
        try expectUnharmed(bench, ids[1], seed: 1)
    }

    @Test("a looping extension can be interrupted and fails only its own edit")
    func loop() throws {
        let (bench, ids) = try bench()
        let command = try RunningCommand(bench, edit(ids[0], "wait-loop"))
        try command.waitUntilWaiting()
        try command.letFinish()
        command.send(SIGINT)
        #expect(try command.status() == 130)
        #expect(try bench.position(ids[0]) == (0, 0))
        try expectUnharmed(bench, ids[1], seed: 1)
    }

    @Test("kill -9 of the command ends its runners within a second")
    func killed() throws {
        let (bench, ids) = try bench()
        let command = try RunningCommand(bench, edit(ids[0], "wait-loop"))
        try command.waitUntilWaiting()
        try command.letFinish()
        let runners = Children.all(of: command.pid)
        #expect(!runners.isEmpty)
        let start = ContinuousClock.now
        command.send(SIGKILL)
        while runners.contains(where: Children.isRunning) {
            // Ten times the promised second.
            try #require(ContinuousClock.now - start < .seconds(10))
            usleep(5000)
        }
        try command.waitUntilEnded()
        #expect(try bench.position(ids[0]) == (0, 0))
        // The next change removes the leftovers.
        #expect(try bench.run("edit", ids[1], "--with", "good").status == 0)
        let staging = bench.folder.file("Photos.editlibrary/staging")
        #expect(try FileManager.default.contentsOfDirectory(atPath: staging) == [])
        #expect(try bench.run("check", "--read-data", "100").status == 0)
    }

    @Test(
        "truncating, replacing or deleting an original during an edit does not crash the host",
        arguments: ["cut", "replaced", "deleted"], [true, false])
    func original(fate: String, isTrusted: Bool) throws {
        let (bench, ids) = try bench()
        if isTrusted {
            try #require(try bench.run("extensions", "trust", "good").status == 0)
        }
        let path = try #require(try Self.blob(of: ids[0], in: bench))
        let command = try RunningCommand(
            bench, ["edit", ids[0], "--with", "good", "--set", "mode=wait"])
        try command.waitUntilWaiting()
        try Self.change(path, fate)
        try command.letFinish()
        let status = try command.status()
        // A trusted extension reads the file itself; an untrusted one already received the pixels.
        if fate == "cut", isTrusted { #expect(status != 0) }
        if status == 0 {
            let picture = TestPicture.gradient(seed: 0)
            #expect(try bench.exported(ids[0], "current").picture == picture.adding(10))
        } else {
            #expect([65, 66, 70, 73].contains(status), "\(status): \(command.output)")
            #expect(command.output.contains(ids[0]))
            #expect(try bench.position(ids[0]) == (0, 0))
        }
        // `check` finds the damaged original.
        #expect(try bench.run("check", "--read-data", "100").status == 2)
        #expect(try bench.run("edit", ids[1], "--with", "good").status == 0)
    }

    private static func blob(of id: String, in bench: Workbench) throws -> String? {
        let original = try Data(
            contentsOf: URL(fileURLWithPath: bench.folder.file("photos/picture0.png")))
        let blobs = bench.folder.file("Photos.editlibrary/blobs")
        return FileManager.default.enumerator(atPath: blobs)?
            .compactMap { $0 as? String }.map { "\(blobs)/\($0)" }
            .first { FileManager.default.contents(atPath: $0) == original }
    }

    private static func change(_ path: String, _ fate: String) throws {
        switch fate {
        case "cut":
            try #require(chmod(path, 0o644) == 0 && truncate(path, 0) == 0)
        case "replaced":
            try FileManager.default.removeItem(atPath: path)
            try TestPicture.gradient(seed: 99).encoded().write(to: URL(fileURLWithPath: path))
        default:
            try FileManager.default.removeItem(atPath: path)
        }
    }
}
