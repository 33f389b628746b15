// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// Output that an extension prints.
@Suite("noise")
struct PrintedOutputTests {
    @Test("2,000 lines on stdout do not change the result")
    func lines() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient()
        let quiet = try await studio.add(picture.encoded(), named: "quiet.png")
        let noisy = try await studio.add(
            picture.encoded(options: ["compression": 1]), named: "noisy.png")
        try #require(quiet != noisy)
        try await studio.edit(quiet, "adder", ["amount": "5"])
        try await studio.edit(noisy, "adder", ["amount": "5", "mode": "noise"])
        #expect(try studio.current(noisy) == picture.adding(5))
        #expect(try studio.currentBytes(noisy) == studio.currentBytes(quiet))
        await studio.host.shutDown()
    }

    @Test("what an extension prints is logged line by line, with its identifier")
    func named() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "adder", ["mode": "print"])
        await studio.host.shutDown()
        let printed = ["on stdout", "on stderr", "without an end"].map {
            "org.example.adder: \($0)"
        }
        for line in printed {
            try await studio.log.wait { $0 == line }
        }
    }

    @Test("a crash reports the message of the fault, not the stack after it")
    func fault() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "adder", ["mode": "fatal"])
        }
        #expect(
            error?.message.contains(
                "crashed with SIGILL in finish (it printed: A/A.swift:7: Fatal error: no table)")
                == true, "\(error as Any)")
        // The stack is in the log, with that of the signal.
        let lines = studio.log.lines
        #expect(lines.contains { $0.contains("libA.so") })
        #expect(lines.contains { $0.hasPrefix("org.example.adder: ") && $0.contains("[0x") })
        await studio.host.shutDown()
    }

    @Test("of 50 MB on stderr the last 16 KiB are kept, with a truncation mark")
    func mark() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "adder", ["mode": "flood-abort"])
        }
        let death = try #require(error?.underlying as? RunnerDeath)
        #expect(death.cause == .signal("SIGABRT"))
        #expect(death.log.hasPrefix("[...] "))
        #expect(death.log.utf8.count <= 16 << 10 + 6)
        await studio.host.shutDown()
    }

    @Test("50 MB on stderr cost the host less than a megabyte")
    func memory() async throws {
        await #expect(processExitsWith: .success) {
            let studio = try TestStudio()
            let asset = try await studio.add(.gradient())
            for amount in 1...3 {
                try await studio.edit(asset, "adder", ["amount": "\(amount)", "mode": "plain"])
            }
            let before = try MemoryUse.peak()
            try await studio.edit(asset, "adder", ["amount": "9", "mode": "flood"])
            let growth = try MemoryUse.peak() - before
            await studio.host.shutDown()
            guard growth < 1 << 20 else {
                throw HostError(.runnerFailed, "the host has grown by \(growth) bytes")
            }
        }
    }
}

/// Memory use of processes, as counted by the kernel.
enum MemoryUse {
    /// The peak memory of a process in bytes.
    static func peak(of process: String = "self") throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first) << 10
    }
}
