// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Foundation
import RunnerProtocol
import TestSupport

/// A runner with which a test exchanges packets.
///
/// `@unchecked Sendable` is safe: each instance is used by one test, on one thread at a time.
final class TestRunner: @unchecked Sendable {
    let folder: URL
    private let socket: Int32
    private let pidfd: Int32
    private let pid: pid_t
    private var number: UInt32 = 0
    /// Messages that the runner sent without a request.
    private(set) var announcements: [RunnerReply] = []
    /// The file for long replies. It must also be sent with the request.
    var outbox: TestFile?
    private var early: [UInt32: RunnerReply] = [:]

    /// - Parameter program: The runner's path.
    init(_ program: String = BuildProducts.runner) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("edithost-runner-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var sockets: [Int32] = [-1, -1]
        guard csandbox_socket_pair(&sockets) == 0 else { throw Failed("no sockets") }
        socket = sockets[0]
        (pidfd, pid) = try Self.start(program, control: sockets[1], folder: folder.path)
        close(sockets[1])
        guard case .ready(let facts) = try receive().reply,
            facts.protocolVersion == RunnerFacts.currentProtocol
        else {
            throw Failed("the runner is not ready")
        }
    }

    deinit {
        close(socket)
        _ = csandbox_kill(pidfd)
        var (signal, status): (Int32, Int32) = (0, 0)
        _ = csandbox_reap(pidfd, 1, &signal, &status, nil)
        close(pidfd)
        try? FileManager.default.removeItem(at: folder)
    }

    struct Failed: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// Starts the runner on a thread that never ends, because the runner dies with that thread.
    private static func start(
        _ path: String, control: Int32, folder: String
    ) throws -> (Int32, pid_t) {
        let box = Spawned()
        let thread = Thread {
            let arguments = [strdup(path), strdup("\(getpid())"), nil]
            let environment = [
                strdup("EDITHOST_RUNNER_FOLDER=\(folder)"), strdup("SWIFT_BACKTRACE=enable=no"),
                nil,
            ]
            let log = open("/dev/null", O_WRONLY | O_CLOEXEC)
            var (pid, pidfd): (pid_t, Int32) = (0, -1)
            let result = csandbox_spawn(
                path, arguments, environment, control, log, &pid, &pidfd)
            close(log)
            box.finish(result == 0 ? pidfd : -1, pid)
            while true { sleep(1000) }
        }
        thread.start()
        let (pidfd, pid) = box.wait()
        guard pidfd >= 0 else { throw Failed("\(path) cannot be started") }
        return (pidfd, pid)
    }

    // MARK: - Messages

    /// Sends a request without waiting for the answer, and returns its number.
    func send(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, Int32)] = []
    ) throws -> UInt32 {
        number += 1
        let body = try MessageBody.encode(
            RequestEnvelope(descriptors: descriptors.map(\.0), request: request))
        var numbers = descriptors.map(\.1)
        if body.count > RunnerPacket.maximumInline {
            let inbox = try TestFile(Array(body))
            numbers.insert(inbox.number, at: 0)
            return try withExtendedLifetime(inbox) { try send(body, numbers) }
        }
        return try send(body, numbers)
    }

    private func send(_ body: Data, _ numbers: [Int32]) throws -> UInt32 {
        let packet = RunnerPacket.encode(number: number, body: body)
        let result = packet.withUnsafeBytes {
            csandbox_send(socket, $0.baseAddress, $0.count, numbers, Int32(numbers.count))
        }
        guard result == 0 else { throw Failed("send: \(errno)") }
        return number
    }

    /// Waits for the answer to a request.
    func answer(to number: UInt32) throws -> RunnerReply {
        while true {
            if let reply = early.removeValue(forKey: number) { return reply }
            let (found, reply) = try receive()
            if found == 0 { announcements.append(reply) } else { early[found] = reply }
        }
    }

    /// Sends a request and waits for its answer.
    func request(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, Int32)] = []
    ) throws -> RunnerReply {
        try answer(to: try send(request, descriptors))
    }

    /// Waits until the log has `count` lines that contain a text.
    func waitForLog(_ text: String, count: Int = 1) throws {
        while log.filter({ $0.contains(text) }).count < count {
            let (number, reply) = try receive()
            if number == 0 { announcements.append(reply) } else { early[number] = reply }
        }
    }

    private func receive() throws -> (number: UInt32, reply: RunnerReply) {
        var packet = [UInt8](repeating: 0, count: RunnerPacket.maximumLength)
        var count: Int32 = 0
        let length = csandbox_receive(socket, &packet, packet.count, nil, &count)
        guard length > 0, let decoded = RunnerPacket.decode(Data(packet.prefix(length))) else {
            throw Failed("the runner is gone: \(signalName)")
        }
        let body = decoded.header.isElsewhere ? Data(outbox?.bytes ?? []) : decoded.inlineBody
        let reply = try MessageBody.decode(RunnerReply.self, from: body)
        return (decoded.header.number, reply)
    }

    /// The signal or exit status that ended the runner.
    private var signalName: String {
        var (signal, status): (Int32, Int32) = (0, 0)
        _ = csandbox_reap(pidfd, 1, &signal, &status, nil)
        return signal == 0 ? "exit \(status)" : String(cString: csandbox_signal_name(signal))
    }

    /// The processor time that the runner has used, in seconds.
    var processorTime: Double { Double(csandbox_processor_time(pid)) / 1e9 }

    // MARK: - Announcements

    /// The lines of the runner's log.
    var log: [String] {
        announcements.compactMap { if case .log(let line) = $0 { line } else { nil } }
    }

    /// The phases that the runner reported.
    var phases: [RunnerPhase] {
        announcements.compactMap { if case .phase(let phase) = $0 { phase } else { nil } }
    }

    // MARK: - Extensions

    /// Builds and loads the recorder.
    func loadRecorder(
        mode: String = "plain", pixelFormats: [PixelFormat] = PixelFormat.allCases,
        definitions: [String: String] = [:]
    ) throws -> RunnerReply {
        var all = definitions
        all["MODE"] = "\"\(mode)\""
        let library = try TestFile(path: try TestPlugin.build("recorder", all))
        return try request(
            .load(try LoadedExtension.recorder(pixelFormats)), [(.library, library.number)])
    }
}

/// Passes the pidfd and PID of a process from one thread to another.
private final class Spawned: @unchecked Sendable {
    // The values are written before the signal and read after it.
    private var value: Int32 = -1
    private var pid: pid_t = 0
    private let semaphore = DispatchSemaphore(value: 0)

    func finish(_ value: Int32, _ pid: pid_t) {
        self.value = value
        self.pid = pid
        semaphore.signal()
    }

    func wait() -> (Int32, pid_t) {
        semaphore.wait()
        return (value, pid)
    }
}
