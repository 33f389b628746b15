// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// A command that is still running, with or without its own terminal.
///
/// The tests' plug-in, run with a mode that contains `wait`, waits in `finish` until
/// ``letFinish()`` is called.
final class RunningCommand {
    struct TooLate: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let bench: Workbench
    private let log: String
    private var terminal: Int32 = -1

    /// - Parameters:
    ///   - atTerminal: Connects standard input and standard error to a terminal.
    ///   - closingStreams: Starts the command without standard input, output and error.
    ///   - signal: The name of a signal that the command ignores from its start.
    init(
        _ bench: Workbench, atTerminal: Bool = false, closingStreams: Bool = false,
        ignoring signal: String? = nil,
        _ arguments: [String]
    ) throws {
        self.bench = bench
        log = bench.folder.file("log-\(UUID().uuidString)")
        // The test runner may ignore signals, which child processes inherit.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let signals = ["--default-signal"] + (signal.map { ["--ignore-signal=\($0)"] } ?? [])
        let shell = closingStreams ? ["/bin/sh", "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-"] : []
        process.arguments = signals + shell + [try Workbench.command] + arguments
        process.environment = bench.environment()
        try Data().write(to: URL(fileURLWithPath: log))
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        process.standardOutput = output
        if atTerminal {
            var far: Int32 = -1
            try #require(openpty(&terminal, &far, nil, nil, nil) == 0)
            _ = fcntl(terminal, F_SETFD, FD_CLOEXEC)
            _ = fcntl(terminal, F_SETFL, O_NONBLOCK)
            let handle = FileHandle(fileDescriptor: far, closeOnDealloc: true)
            process.standardInput = handle
            process.standardError = handle
        } else {
            process.standardInput = FileHandle.nullDevice
            process.standardError = output
        }
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        if terminal >= 0 { close(terminal) }
    }

    /// Waits until the plug-in has reached its wait, for several photos if a count is given.
    func waitUntilWaiting(count: Int = 1) throws {
        try wait("the plug-in waits") { waitingCount >= count }
    }

    /// The number of photos for which the plug-in waits.
    var waitingCount: Int { markers.count }

    /// Lets the waiting plug-in continue.
    func letFinish() throws {
        try FileManager.default.removeItem(atPath: try #require(markers.first))
    }

    private var markers: [String] {
        let folder = bench.folder.file("tmp")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.map { "\(folder)/\($0)/waiting" }
            .filter { FileManager.default.fileExists(atPath: $0) }
    }

    /// The file behind a descriptor of the command.
    func target(ofDescriptor number: Int) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/\(process.processIdentifier)/fd/\(number)")
    }

    /// The process identifier of the command.
    var pid: pid_t { process.processIdentifier }

    func send(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Types a line at the command's terminal.
    func type(_ line: String) {
        _ = (line + "\n").withCString { write(terminal, $0, strlen($0)) }
    }

    /// Waits until the terminal has shown a text.
    func waitFor(_ text: String) throws {
        var seen = ""
        try wait("the terminal shows \(text)") {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(terminal, &buffer, buffer.count)
            if count > 0 { seen += String(decoding: buffer[..<count], as: UTF8.self) }
            return seen.contains(text)
        }
    }

    /// Waits until the command has ended.
    func waitUntilEnded() throws {
        try wait("the command has ended") { !process.isRunning }
    }

    /// Waits until the command has ended, and returns its exit status or, like a shell, 128 plus the number of the
    /// signal that ended it.
    func status() throws -> Int32 {
        try waitUntilEnded()
        return (wasEndedBySignal ? 128 : 0) + process.terminationStatus
    }

    var wasEndedBySignal: Bool { process.terminationReason == .uncaughtSignal }

    /// The output so far, including messages if the command has no terminal.
    var output: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    /// Waits until the output contains a match.
    func waitForOutput<Output>(_ regex: Regex<Output>) throws -> Regex<Output>.Match {
        var found: Regex<Output>.Match?
        try wait("the output contains a match") {
            found = output.firstMatch(of: regex)
            return found != nil
        }
        return try #require(found)
    }

    /// Remaining folders of runners.
    var leftFolders: [String] {
        let folder = bench.folder.file("tmp")
        return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// Waits for up to a minute, far longer than any successful operation takes.
    private func wait(_ what: String, until condition: () -> Bool) throws {
        for _ in 0..<6000 {
            if condition() { return }
            usleep(10_000)
        }
        throw TooLate(description: "waited in vain until \(what); printed: \(output)")
    }
}
