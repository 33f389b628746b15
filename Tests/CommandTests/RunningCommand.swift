// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// A command that is still running, at a terminal of its own or without one.
///
/// The plug-in of the tests, with a mode that has `wait` in it, waits in `finish` until
/// ``letFinish()``.
final class RunningCommand {
    struct TooLate: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let bench: Workbench
    private let log: String
    private var terminal: Int32 = -1

    /// - Parameters:
    ///   - atTerminal: its standard input and standard error are a terminal.
    ///   - closingStreams: it is started without standard input, output and error.
    ///   - signal: the name of a signal that it is started with ignoring.
    init(
        _ bench: Workbench, atTerminal: Bool = false, closingStreams: Bool = false,
        ignoring signal: String? = nil,
        _ arguments: [String]
    ) throws {
        self.bench = bench
        log = bench.folder.file("log-\(UUID().uuidString)")
        // Whatever runs the tests may have signals ignored, which programs would inherit.
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

    /// Waits until the plug-in waits.
    func waitUntilWaiting() throws {
        try wait("the plug-in waits") { marker != nil }
    }

    /// Lets the plug-in go on.
    func letFinish() throws {
        try FileManager.default.removeItem(atPath: try #require(marker))
    }

    private var marker: String? {
        let folder = bench.folder.file("tmp")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.map { "\(folder)/\($0)/waiting" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }

    /// What a descriptor of the command leads to.
    func target(ofDescriptor number: Int) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/\(process.processIdentifier)/fd/\(number)")
    }

    /// Its process.
    var pid: pid_t { process.processIdentifier }

    /// Sends a signal.
    func send(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Types a line.
    func type(_ line: String) {
        _ = (line + "\n").withCString { write(terminal, $0, strlen($0)) }
    }

    /// Waits until the terminal shows a text.
    func waitFor(_ text: String) throws {
        var seen = ""
        try wait("the terminal shows \(text)") {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(terminal, &buffer, buffer.count)
            if count > 0 { seen += String(decoding: buffer[..<count], as: UTF8.self) }
            return seen.contains(text)
        }
    }

    /// Waits until it has ended.
    func waitUntilEnded() throws {
        try wait("the command has ended") { !process.isRunning }
    }

    /// Waits until it has ended and gives its exit status.
    func status() throws -> Int32 {
        try waitUntilEnded()
        try #require(process.terminationReason == .exit, "a signal ended it")
        return process.terminationStatus
    }

    /// What it printed, without a terminal also its messages.
    var output: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    /// The runners' folders that are left.
    var leftFolders: [String] {
        let folder = bench.folder.file("tmp")
        return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// A minute is far more than anything takes that goes well.
    private func wait(_ what: String, until condition: () -> Bool) throws {
        for _ in 0..<6000 {
            if condition() { return }
            usleep(10_000)
        }
        throw TooLate(description: "waited in vain until \(what); printed: \(output)")
    }
}
