// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A backup to continue, and the library that has changed since, for runs that end at a chosen system call.
private struct BackupFaults {
    private let bench: Workbench
    private let backup: String
    private let preload: String
    private let before: String
    private let after: String
    /// The number of system calls of an uninterrupted backup that change its folder.
    let count: Int

    init() throws {
        let ids: [String]
        (bench, ids) = try Workbench.withPhotos(2, extensions: ["SepiaFilter"])
        backup = bench.folder.file("backup")
        preload = try PreloadedFaults.build()
        _ = try bench.json("backup", backup)
        before = try Self.listing(backup, bench)
        _ = try bench.json("edit", ids[1], "--with", "sepia")
        let copy = bench.folder.file("copy")
        let counter = bench.folder.file("count")
        try FileManager.default.copyItem(atPath: backup, toPath: copy)
        let whole = try Self.run(copy, bench, preload, ["FAULT_COUNT": counter])
        try #require(whole.status == 0, "\(whole.errors)")
        after = try Self.listing(copy, bench)
        let text = try String(contentsOfFile: counter, encoding: .utf8)
        count = try #require(Int(text.trimmingCharacters(in: .newlines)))
        try #require(before != after && count > 5)
    }

    /// The library's assets as `list --json` prints them.
    private static func listing(_ path: String, _ bench: Workbench) throws -> String {
        let result = try bench.run("list", "--json", "--library", path)
        try #require(result.status == 0, "\(result.errors)")
        return result.output
    }

    private static func run(
        _ path: String, _ bench: Workbench, _ preload: String, _ faults: [String: String]
    ) throws -> ProcessResult {
        var environment = bench.environment()
        environment["LD_PRELOAD"] = preload
        environment["FAULT_ROOT"] = path
        environment.merge(faults) { $1 }
        return try runProgram(
            Workbench.command, ["backup", path], environment: environment,
            folder: bench.folder.path)
    }

    private func check(_ path: String) throws -> Int32 {
        try bench.run("check", "--read-data", "100", "--library", path).status
    }

    /// Interrupts backups at every `stride`-th call, checks what they leave, and continues them.
    func run(_ fault: String, every stride: Int) throws {
        for number in Swift.stride(from: 1, through: count, by: stride) {
            let path = bench.folder.file("copy-\(fault)-\(number)")
            try FileManager.default.copyItem(atPath: backup, toPath: path)
            let result = try Self.run(
                path, bench, preload, ["FAULT_KIND": fault, "FAULT_AT": "\(number)"])
            if fault == "kill" { #expect(result.status == 128 + SIGKILL) }
            #expect(try [before, after].contains(Self.listing(path, bench)), "\(fault) \(number)")
            #expect(try check(path) <= 1, "\(fault) \(number)")
            let again = try bench.run("backup", path)
            #expect(again.status == 0, "\(fault) \(number): \(again.errors)")
            #expect(try Self.listing(path, bench) == after)
            #expect(try check(path) == 0, "\(fault) \(number)")
            try FileManager.default.removeItem(atPath: path)
        }
    }
}

@Suite("fault injection into backups")
struct BackupFaultTests {
    @Test(
        "a backup interrupted at a sampled call keeps the previous one, and the next run continues",
        arguments: ["kill", "ENOSPC"])
    func sample(fault: String) throws {
        let faults = try BackupFaults()
        try faults.run(fault, every: max(1, faults.count / 4))
    }
}

@Suite("fault injection into backups, exhaustive", .serialized, .torture)
struct BackupFaultTorture {
    @Test(
        "a backup interrupted at any call keeps the previous one, and the next run continues",
        arguments: ["kill", "ENOSPC"])
    func everywhere(fault: String) throws {
        try BackupFaults().run(fault, every: 1)
    }
}
