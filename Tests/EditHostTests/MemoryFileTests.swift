// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Logging
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// Memory that a plug-in keeps in files from the host counts against its budget or is reclaimed.
@Suite("memory files")
struct MemoryFileTests {
    private static let budget: UInt64 = 256 << 20

    private static func studio(
        _ bomb: String, at place: String? = nil, trusted: Bool,
        change: (inout ExtensionBudget) -> Void = { _ in }
    ) throws -> TestStudio {
        try TestStudio(
            extensions: { try TestExtension.buildBomb(bomb, at: place, in: $0) },
            trusted: trusted,
            configure: { configuration in
                configuration.runnerLimit = 1
                var budget = ExtensionBudget()
                budget.memory = Self.budget
                change(&budget)
                configuration.budgets.extensions["org.example.bomb"] = budget
            })
    }

    @Test(
        "a plug-in that keeps and grows its memory files stays within its budget",
        arguments: [true, false])
    func hoard(isTrusted: Bool) async throws {
        let studio = try Self.studio("hoard", trusted: isTrusted)
        var most = (held: 0, edits: 0)
        for number in 0..<10 {
            // Each is larger than the last, so that no pixel memory is recycled.
            let picture = TestPicture.gradient(width: 1500 + 100 * number, height: 1500)
            let asset = try await studio.add(picture.encoded(), named: "\(number).png")
            try await studio.edit(asset, "bomb")
            let got = try #require(try studio.recipe(asset).flatMap { Int($0) })
            most = (max(most.held, got / 1000), max(most.edits, got % 1000))
        }
        // Memory for one answer, and at most an eighth of the budget from earlier edits.
        #expect(most.held >= 32)
        #expect(most.held <= 32 + (256 / 8) + 20, "\(most.held) MiB")
        // A runner ends if its memory cannot be reclaimed.
        if !isTrusted { #expect(most.edits < 10) }
        await studio.host.shutDown()
    }

    @Test("output memory of a trusted plug-in counts against memoryBytes")
    func output() async throws {
        let studio = try Self.studio("hoard", at: "PIXELS", trusted: true)
        let asset = try await studio.add(TestPicture.gradient(width: 400, height: 400))
        let error = await #expect(throws: HostError.self) { try await studio.edit(asset, "bomb") }
        #expect(error?.code == .extensionFailed)
        #expect(error?.extensionIdentifier == "org.example.bomb")
        let text = error?.description ?? ""
        #expect(text.contains("256 MiB of memory"), "\(text)")
        #expect(text.contains("budgets.org.example.bomb.memoryBytes"), "\(text)")
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        await studio.host.shutDown()
    }

    @Test("an untrusted plug-in can neither grow nor keep the memory of its pixels")
    func pixels() async throws {
        let studio = try Self.studio("hoard", at: "PIXELS", trusted: false)
        let picture = TestPicture.gradient(width: 400, height: 400)
        let asset = try await studio.add(picture)
        // The memory has room for the pixels: either they are written to it, or the edit fails.
        do {
            try await studio.edit(asset, "bomb")
        } catch let error as HostError {
            #expect(error.extensionIdentifier == "org.example.bomb", "\(error)")
        }
        await studio.host.shutDown()
    }

    @Test("memory used by a thread while the runner is idle counts")
    func idle() async throws {
        let studio = try Self.studio("idle_files", at: "START", trusted: true)
        let asset = try await studio.add(TestPicture.gradient())
        do {
            try await studio.edit(asset, "bomb")
            // If the edit ends before the limit of files is reached, the runner gets no further request, and would live
            // until the host ends.
            let pid = try #require(try studio.recipe(asset).flatMap { pid_t($0) })
            let end = ContinuousClock.now + .seconds(60)
            while Children.isRunning(pid), .now < end {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(!Children.isRunning(pid))
        } catch let error as HostError {
            #expect(error.description.contains("1000 files"), "\(error)")
        }
        await studio.host.shutDown()
    }

    // MARK: - Unit tests

    @Test("lent memory is emptied when the host releases it, despite kept descriptors or pages")
    func takenBack() throws {
        var memory: OpenFile? = try OpenFile.runnerMemory("test")
        let kept = try OpenFile(descriptor: fcntl(#require(memory).descriptor, F_DUPFD_CLOEXEC, 0))
        try kept.append(Data(repeating: 1, count: 3 << 20))
        let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, kept.descriptor, 0)
        defer { munmap(page, 4096) }
        var lent = RunnerMemory()
        try lent.lend(#require(memory), isInput: false)
        #expect(lent.bytes() >= 3 << 20)
        memory = nil
        #expect(lent.bytes() == 0)
        var status = stat()
        try #require(fstat(kept.descriptor, &status) == 0)
        #expect(status.st_size == 0 && status.st_blocks == 0)
        #expect(ftruncate(kept.descriptor, 1) != 0 && errno == EPERM)
        #expect(pwrite(kept.descriptor, [1], 1, 0) != 1 && errno == EPERM)
    }

    @Test("lent memory with a fixed room never grows beyond it")
    func room() throws {
        let memory = try OpenFile.runnerMemory("test", holding: Data([1, 2]), room: 4096)
        #expect(try memory.byteCount() == 4096)
        #expect(ftruncate(memory.descriptor, 4097) != 0 && errno == EPERM)
        #expect(pwrite(memory.descriptor, [1], 1, 4096) != 1)
        #expect(try memory.read(count: 3) == Data([1, 2, 0]))
    }

    @Test("memory of fixed content counts once its reader has finished")
    func inputs() throws {
        let input = try OpenFile.memory("in", holding: Data(repeating: 1, count: 1000))
        let output = try OpenFile.memory("out", holding: Data(repeating: 1, count: 500))
        let file = try OpenFile.reading("/dev/null")
        var lent = RunnerMemory()
        lent.beginLease()
        lent.lend(input, isInput: true)
        lent.lend(input, isInput: true)
        lent.lend(output, isInput: false)
        lent.lend(file, isInput: true)
        #expect(lent.bytes() == 500)
        #expect(lent.bytesAtEnd() == 1500)
        lent.beginLease()
        #expect(lent.bytes() == 1500)
        // Lent again for reading, it counts once.
        lent.lend(try input.readOnly(), isInput: true)
        #expect(lent.bytes() == 500)
        // Memory that was lent for writing stays writable.
        lent.lend(output, isInput: true)
        #expect(lent.bytes() == 500)
        #expect(lent.bytesAtEnd() == 1500)
    }

    @Test("files, bytes and folders are counted only up to the limit")
    func folder() throws {
        let folder = try TemporaryFolder()
        for number in 0..<20 {
            try folder.write(Data(repeating: 1, count: 5000), to: "file\(number)")
        }
        try FileManager.default.createDirectory(
            atPath: folder.file("deep/deeper"), withIntermediateDirectories: true)
        try folder.write(Data(repeating: 1, count: 5000), to: "deep/deeper/file")
        let sparse = try folder.write(Data(), to: "sparse")
        try #require(truncate(sparse, 1 << 30) == 0)
        let usage = DiskUsage(of: folder.path, upTo: 1000)
        #expect(usage.count == 24)
        #expect(usage.bytes >= 21 * 5000 && usage.bytes < 10 << 20)
        #expect(DiskUsage(of: folder.path, upTo: 10).count == 11)
        #expect(DiskUsage(of: folder.file("nothing"), upTo: 10).count == 0)
    }
}
