// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Glibc
import Library
import TestSupport
import Testing

/// Thousands of edits, with plug-ins that crash and hosts that are killed.
///
/// EDITHOST_SOAK is the number of edits, 10,000 by default.
@Suite("soak test", .torture)
struct SoakTorture {
    private static let faultModes = [
        "crash-finish", "crash-pixels", "fail-finish",
        "empty-recipe", "huge-recipe", "file-lie",
    ]

    @Test("misbehaving plug-ins and killed hosts leak nothing and lose nothing")
    func soak() async throws {
        // Runs in a process of its own, so that memory and descriptors are those of this test
        // alone.
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) { try await SoakTorture.run() }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }

    private static func run() async throws {
        let count =
            ProcessInfo.processInfo.environment["EDITHOST_SOAK"].flatMap { Int($0) } ?? 10_000
        let soak = try await Soak()
        var start: (memory: Int, descriptors: Int)?
        for number in 1...count {
            try await soak.step(number)
            // Caches are filled by then.
            if number == max(1, count / 5) { start = try Soak.usage() }
        }
        let end = try Soak.usage()
        let before = try #require(start)
        print(
            "\(count) edits, \(soak.failures) of them failed as they should, "
                + "\(soak.kills) hosts killed; memory \(before.memory) to \(end.memory) kB, "
                + "descriptors \(before.descriptors) to \(end.descriptors)")
        #expect(soak.surprises == [])
        #expect(end.memory < before.memory + before.memory / 4 + 20_000)
        // Runners come and go; a leak would add hundreds.
        #expect(end.descriptors <= before.descriptors + 40)
        try soak.expectOnlyWhatIsNeeded()
        await soak.studio.host.shutDown()
    }

    fileprivate static func faultMode(using random: inout SeededGenerator) -> String {
        faultModes.randomElement(using: &random) ?? "crash-finish"
    }
}

/// A studio and the events in it.
private final class Soak {
    let studio: TestStudio
    private let picture = TestPicture.gradient()
    private var asset: String
    private(set) var failures = 0
    private(set) var kills = 0
    private(set) var surprises: [String] = []
    private var failuresInARow = 0
    private var random: SeededGenerator

    init() async throws {
        let seed = TestSeed.seed()
        print("seed \(seed)")
        random = SeededGenerator(seed: seed)
        studio = try TestStudio()
        asset = try await studio.add(picture)
    }

    func step(_ number: Int) async throws {
        let isHostile = failuresInARow < 2 && Int.random(in: 0..<20, using: &random) == 0
        let amount = number % 100
        do {
            let mode = isHostile ? SoakTorture.faultMode(using: &random) : "plain"
            try await studio.edit(
                asset, "adder", ["amount": "\(amount)", "mode": mode], reset: true)
            failuresInARow = 0
            if isHostile { surprises.append("\(number): \(mode) was committed") }
        } catch {
            failures += 1
            failuresInARow += 1
            if !isHostile { surprises.append("\(number): \(error)") }
        }
        if number % 25 == 0 { try check(number, isHostile ? nil : amount) }
        if number % 20 == 0 { _ = try await studio.host.revert([asset], in: studio.library) }
        if number % 100 == 0 { try killHost() }
        if number % 250 == 0 { _ = try studio.host.prune(studio.library, emptyingTrash: true) }
    }

    /// Compares the picture with its recipe.
    private func check(_ number: Int, _ amount: Int?) throws {
        guard let amount else { return }
        if try studio.current(asset) != picture.adding(amount) {
            surprises.append("\(number): other pixels")
        }
    }

    /// Kills another host on the same library during an edit.
    private func killHost() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuildProducts.command)
        process.arguments = [
            "edit", asset, "--with", "adder", "--set", "amount=7", "--library",
            studio.library.path,
        ]
        var environment = ProcessInfo.processInfo.environment
        environment["EDITHOST_EXTENSION_PATH"] = studio.extensions
        environment["XDG_CONFIG_HOME"] = studio.folder.file("other-configuration")
        process.environment = environment
        for stream in [\Process.standardOutput, \Process.standardError] {
            process[keyPath: stream] = FileHandle.nullDevice
        }
        try process.run()
        usleep(UInt32.random(in: 1000...400_000, using: &random))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        kills += 1
    }

    /// Resident memory in kB, and open descriptors.
    static func usage() throws -> (memory: Int, descriptors: Int) {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let memory = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        return (
            try #require(memory.flatMap { Int($0) }),
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        )
    }

    /// After a prune, the files on disk are exactly those that rows refer to.
    func expectOnlyWhatIsNeeded() throws {
        // Opening removes what killed hosts have left in staging.
        try PhotoLibrary.open(at: studio.library.path).close()
        _ = try studio.host.prune(studio.library, emptyingTrash: true)
        let report = try studio.library.check(readingDataOf: 100)
        #expect(report.severity == .clean, "\(report.findings)")
        let blobs = "\(studio.library.path)/blobs"
        let files = try FileManager.default.subpathsOfDirectory(atPath: blobs)
            .filter { $0.contains("/") }
        #expect(files.count == report.fileCount)
    }
}
