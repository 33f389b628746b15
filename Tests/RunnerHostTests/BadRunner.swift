// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import Logging
import RunnerProtocol
import TestSupport

@testable import RunnerHost

/// The program `bad_runner.c`, under the names of its faults.
struct BadRunner: Sendable {
    /// Protocol violations, and the host's message for each.
    static let modes: [(name: String, said: String)] = [
        ("wrong-magic", "packet of the protocol"), ("wrong-number", "without a request"),
        ("number-nothing", "without a request"), ("too-long", "packet of the protocol"),
        ("too-short", "packet of the protocol"), ("unknown-flags", "packet of the protocol"),
        ("empty-outbox", "cannot be read"), ("endless-outbox", "packet of the protocol"),
        ("no-json", "cannot be read"), ("unknown-reply", "cannot be read"),
        ("descriptors", "carries descriptors"), ("garbage", "packet of the protocol"),
        ("large", "too large"), ("nothing", "closed its socket"),
        ("everywhere", "packet of the protocol"), ("close", "closed its socket"),
        ("exit", "exit status 0"), ("early", "without a request"),
        ("twice", "without a request"), ("ready-twice", "twice"),
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let program = try TestExtension.program("bad_runner")
        for (name, _) in Self.modes {
            try FileManager.default.copyItem(atPath: program, toPath: folder.file(name))
        }
        let facts = RunnerFacts(
            vipsVersion: "8.14.1", formats: [.jpeg],
            sandbox: SandboxFacts(
                landlockABI: 7, seccomp: true, noNewPrivileges: true, addressSpace: 1 << 30,
                fileSize: 1 << 30, openFiles: 64))
        let body = try MessageBody.encode(RunnerReply.ready(facts))
        try folder.write(RunnerPacket.encode(number: 0, body: body), to: "ready")
    }

    /// Starts the runner and sends it two requests.
    ///
    /// - Returns: The cause of the runner's end, or nil if it did not end.
    func end(_ mode: String) async throws -> RunnerDeath? {
        do {
            let process = try await RunnerProcess.start(
                executable: folder.file(mode), threads: 1, sandbox: .complete,
                timeouts: RunnerTimeouts(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            for _ in 0..<2 {
                _ = try await process.request(.shouldConfirmCancel, timeout: .seconds(60))
            }
            await process.shutDown()
            return nil
        } catch let death as RunnerDeath {
            return death
        } catch let error as HostError {
            return error.underlying as? RunnerDeath
        }
    }
}
