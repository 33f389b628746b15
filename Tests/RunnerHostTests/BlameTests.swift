// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Logging
import RunnerProtocol
import Testing
import TestSupport

@testable import RunnerHost

/// An extension with a runner of its own controls all that the runner reports, but can neither
/// escape blame nor shift it to others.
@Suite("blame for a runner that an extension has taken over")
struct BlameTests {
    private static let innocent = "org.example.innocent"

    /// A runner controlled by an untrusted extension, whose next answer is forged.
    private struct Forgery {
        let folder: TemporaryFolder
        let runner: Runner
        let quarantine: Quarantine
        let library: SHA256Digest

        init(_ said: RunnerReply, number: UInt32, then mode: String) async throws {
            folder = try TemporaryFolder()
            try TestExtension.buildAdder(in: folder.path)
            try FileManager.default.copyItem(
                atPath: try TestExtension.program("forging_runner"), toPath: folder.file(mode))
            let facts = RunnerFacts(
                vipsVersion: "8.14.1", formats: [.jpeg],
                sandbox: SandboxFacts(
                    landlockABI: 7, seccomp: true, noNewPrivileges: true, addressSpace: 1 << 30,
                    fileSize: 1 << 30, openFiles: 64))
            for (name, number, reply) in [
                ("ready", 0, RunnerReply.ready(facts)), ("loaded", 1, .loaded),
                ("said", number, said),
            ] {
                let body = try MessageBody.encode(reply)
                try folder.write(RunnerPacket.encode(number: number, body: body), to: name)
            }
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let process = try await RunnerProcess.start(
                executable: folder.file(mode), threads: 1, sandbox: .complete,
                timeouts: RunnerTimeouts(), logger: logger)
            quarantine = Quarantine(folder: nil, logger: logger)
            runner = Runner(
                process: process, timeouts: RunnerTimeouts(), quarantine: quarantine,
                buffers: PixelBuffers(), executor: globalConcurrentExecutor)
            let binary = try ExtensionBinary(
                reading: ExtensionCatalogue.examine(folder.file("adder.editingextension")),
                trust: ExtensionTrust(shippedFile: nil, folder: nil))
            library = binary.digest
            try await runner.load(binary)
        }

        /// Sends a request that fails.
        func error() async throws -> HostError {
            let error = await #expect(throws: HostError.self) {
                try await runner.send(.finish, timeout: .seconds(60))
            }
            await runner.process.shutDown()
            return try #require(error)
        }
    }

    @Test(
        "a crash is attributed to the extension regardless of the phase the runner reports",
        arguments: [
            RunnerPhase.idle, .decoding, .loading(extensionIdentifier: innocent),
            .calling(extensionIdentifier: innocent, call: "finish"),
            .pixels(extensionIdentifiers: []), .pixels(extensionIdentifiers: [innocent]),
            .pixels(extensionIdentifiers: ["org.example.adder", innocent]),
        ])
    func crash(phase: RunnerPhase) async throws {
        let forgery = try await Forgery(.phase(phase), number: 0, then: "crash")
        let error = try await forgery.error()
        #expect(error.code == .extensionFailed)
        #expect(error.extensionIdentifier == "org.example.adder")
        #expect(error.description.contains("SIGABRT"))
        #expect(!error.description.contains(Self.innocent))
        #expect(forgery.quarantine.entry(of: forgery.library)?.failures == 1)
    }

    @Test(
        "a failure is attributed to the extension regardless of the forged answer",
        arguments: [
            RunnerFailure.Code.badInput, .blockedFormat, .tooLarge, .cancelled, .extensionFailed,
            .outputFailed,
        ])
    func failure(code: RunnerFailure.Code) async throws {
        for name in [nil, Self.innocent] {
            let failure = RunnerFailure(code: code, message: "no", extensionIdentifier: name)
            let forgery = try await Forgery(.failed(failure), number: 2, then: "wait")
            let error = try await forgery.error()
            #expect(error.code == (code == .outputFailed ? .runnerFailed : .extensionFailed))
            #expect(error.extensionIdentifier == "org.example.adder")
        }
    }

    @Test("a runner that closes its log costs the host no processor time")
    func closedLog() async throws {
        await #expect(processExitsWith: .success) {
            let forgery = try await Forgery(.answer(true), number: 2, then: "wait")
            _ = try await forgery.runner.send(.shouldConfirmCancel, timeout: .seconds(60))
            let before = clock()
            try await Task.sleep(for: .seconds(2))
            let used = Double(clock() - before) / Double(CLOCKS_PER_SEC)
            await forgery.runner.process.shutDown()
            guard used < 0.5 else { throw HostError(.runnerFailed, "\(used) s were used") }
        }
    }
}
