// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Library

/// A file system on a loop device whose power can be cut. Only what was written to the device by
/// then survives.
final class LoopDisk {
    let folder: TemporaryFolder
    private let image: String
    private let type: String
    /// The mount point of the live file system.
    let place: String

    /// Whether this process can mount a file system of this type.
    static func isAvailable(_ type: String) -> Bool {
        guard geteuid() == 0, FileManager.default.fileExists(atPath: "/dev/loop-control") else {
            return false
        }
        return (try? runProgram("/usr/bin/env", ["which", "mkfs.\(type)"]))?.status == 0
    }

    init(_ type: String, megabytes: Int) throws {
        self.type = type
        folder = try TemporaryFolder()
        image = folder.file("disk")
        place = folder.file("place")
        try Self.run(["truncate", "-s", "\(megabytes)M", image])
        try Self.run(["mkfs.\(type)", type == "ext4" ? "-q" : "-f", image])
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true)
        try Self.run(["mount", "-o", "loop", image, place])
    }

    deinit { try? Self.run(["umount", "--lazy", place]) }

    private static func run(_ arguments: [String]) throws {
        let result = try runProgram("/usr/bin/env", arguments)
        guard result.status == 0 else {
            throw TestExtension.Failure(description: "\(arguments): \(result.errors)")
        }
    }

    /// Copies the device in its current state, as a power failure would leave it.
    func copy(to name: String) throws -> String {
        let copy = folder.file(name)
        try Self.run(["cp", "--sparse=always", image, copy])
        return copy
    }

    /// Mounts a copy, which replays its journal, and passes the mount point to `body`.
    func examine(_ copy: String, _ body: (String) -> String?) throws -> String? {
        let place = folder.file("examined")
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true)
        try Self.run(["mount", "-o", type == "xfs" ? "loop,nouuid" : "loop", copy, place])
        defer {
            // A child of another test can keep the file system busy for a moment.
            try? Self.run(["umount", "--lazy", place])
            try? FileManager.default.removeItem(atPath: copy)
        }
        return body(place)
    }
}

/// Edits a library on such a disk and cuts the power at various moments.
struct PowerLoss {
    struct Result {
        var copies = 0
        var complaints: [String] = []
    }

    let disk: LoopDisk
    private let path: String

    init(_ type: String) throws {
        disk = try LoopDisk(type, megabytes: type == "ext4" ? 64 : 320)
        path = disk.place + "/Power.editlibrary"
        let library = try PhotoLibrary.create(at: path)
        try library.importAsset("original")
        try library.close()
        sync()
    }

    /// - Parameters:
    ///   - edits: The number of edits after whose acknowledgement the power is cut immediately.
    ///   - random: The number of further cuts, at random moments.
    func run(edits: Int, random: Int, mutant: Faults.Mutant? = nil) throws -> Result {
        var result = Result()
        var moments = SeededGenerator(seed: TestSeed.seed())
        let process = Process()
        process.executableURL = URL(fileURLWithPath: DriverStage.driver)
        // A recipe large enough for several blocks.
        process.arguments = [path, "edits", "\(edits + random)", "power", "20000"]
        let faults = try mutant.map { try Faults.environment(root: path, mutant: $0) } ?? [:]
        process.environment = ProcessInfo.processInfo.environment.merging(faults) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        for number in 0..<(edits + random) {
            guard let line = Self.line(from: pipe), line.hasPrefix("committed ") else {
                result.complaints.append("the driver failed")
                break
            }
            if number >= edits { usleep(.random(in: 0...8000, using: &moments)) }
            kill(process.processIdentifier, SIGSTOP)
            let copy = try disk.copy(to: "copy-\(number)")
            kill(process.processIdentifier, SIGCONT)
            result.copies += 1
            let complaint = try disk.examine(copy) { place in
                Self.complaint(place + "/Power.editlibrary", acknowledged: number + 1)
            }
            if let complaint { result.complaints.append("after \(number + 1): \(complaint)") }
        }
        return result
    }

    private static func line(from pipe: Pipe) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(pipe.fileHandleForReading.fileDescriptor, &byte, 1) == 1 {
            if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    private static func complaint(_ path: String, acknowledged count: Int) -> String? {
        do {
            let library = try PhotoLibrary.open(at: path)
            defer { try? library.close() }
            let report = try library.check(readingDataOf: 100)
            if report.severity > .repairable { return "\(report.findings)" }
            let snapshot = try LibrarySnapshot(of: library)
            if !snapshot.mismatches.isEmpty { return "mixed: \(snapshot.mismatches)" }
            let position = snapshot.items.first?.position ?? 0
            // One more edit may have been committed but not yet acknowledged.
            return position >= count ? nil : "\(position) of \(count) acknowledged edits are there"
        } catch {
            return "\(error)"
        }
    }
}

/// Requires root and a loop device, and takes minutes.
@Suite(
    "power loss", .serialized, .torture,
    .enabled(if: LoopDisk.isAvailable("ext4"), "no loop device, mkfs.ext4 or root"))
struct PowerLossTorture {
    @Test(
        "power loss after each answer and at 50 random points loses no committed edit",
        arguments: ["ext4", "xfs", "btrfs"])
    func loss(type: String) throws {
        guard LoopDisk.isAvailable(type) else { try Test.cancel("there is no mkfs.\(type)") }
        let result = try PowerLoss(type).run(edits: 50, random: 50)
        print("\(type): \(result.copies) power failures, \(result.complaints.count) broken")
        #expect(result.copies == 100)
        #expect(result.complaints == [])
    }

    @Test("power loss detects a mutant that does not sync its files")
    func mutant() throws {
        let result = try PowerLoss("ext4").run(edits: 5, random: 0, mutant: .noSynchronization)
        print("no fsync: \(result.complaints.count) of \(result.copies) power failures broken")
        #expect(!result.complaints.isEmpty)
    }
}
