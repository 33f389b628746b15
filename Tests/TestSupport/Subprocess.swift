// SPDX-License-Identifier: Apache-2.0

import CSandbox
import Foundation
import Glibc

/// The output and the exit status of a program.
public struct ProcessResult: Sendable {
    /// The text written to stdout.
    public let output: String
    /// The text written to stderr.
    public let errors: String
    /// The exit status, or 128 plus the number of the signal that ended the program.
    public let status: Int32
}

/// Runs a program and captures its output.
///
/// Foundation's `Process` is not used: on Linux it learns of the exit through its own run loop, which has missed exits
/// among hundreds of children started from many threads.
public func runProgram(
    _ path: String, _ arguments: [String], environment: [String: String]? = nil,
    folder: String? = nil
) throws -> ProcessResult {
    // A program just written by a test cannot be started (`ETXTBSY`) while a child forked by another thread still holds
    // its descriptor.
    for _ in 0..<1000 {
        do {
            let result = try runOnce(path, arguments, environment, folder)
            guard result.status == 126, result.errors.contains("Text file busy") else {
                return result
            }
        } catch let error as POSIXError where error.code == .ETXTBSY {}
        usleep(10_000)
    }
    return try runOnce(path, arguments, environment, folder)
}

private func runOnce(
    _ path: String, _ arguments: [String], _ environment: [String: String]?, _ folder: String?
) throws -> ProcessResult {
    // posix_spawn has no portable way to change the working directory.
    let words =
        folder.map { ["/usr/bin/env", "-C", $0, path] + arguments } ?? [path] + arguments
    let (output, errors) = (try OutputPipe(), try OutputPipe())
    let pid = try spawn(words, environment, output, errors)
    output.closeWriting()
    errors.closeWriting()
    let reading = Reading(errors)
    let text = output.readToEnd()
    let said = reading.text
    return ProcessResult(
        output: String(decoding: text, as: UTF8.self), errors: said, status: try end(of: pid))
}

private func spawn(
    _ words: [String], _ environment: [String: String]?, _ output: OutputPipe,
    _ errors: OutputPipe
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // As in a shell: no signal is blocked or ignored, and the program has its own process group for Ctrl-C.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
        &attributes,
        Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    let variables = environment ?? ProcessInfo.processInfo.environment
    var pid: pid_t = 0
    let status = withWords(words) { words in
        withWords(variables.map { "\($0)=\($1)" }) { variables in
            words[0].map { posix_spawn(&pid, $0, &actions, &attributes, words, variables) }
                ?? EINVAL
        }
    }
    guard status == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: status) ?? .EINVAL)
    }
    return pid
}

private func withWords<Value>(
    _ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
) -> Value {
    let copies = words.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}

/// Waits for a child and returns its exit status, or 128 plus the number of the signal that ended it.
private func end(of pid: pid_t) throws -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
        guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ECHILD) }
    }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
}

/// A pipe that other children do not inherit. `deinit` closes the read end.
private final class OutputPipe: Sendable {
    private let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard csandbox_log_pipe(&ends) == 0, fcntl(ends[0], F_SETFL, 0) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE)
        }
        reading = ends[0]
        // Above the descriptors that the child's file actions overwrite.
        writing = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
        close(ends[1])
    }

    deinit { close(reading) }

    /// Closes this process's copy of the write end. Call it after starting the child.
    func closeWriting() { close(writing) }

    func readToEnd() -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(reading, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return data }
            data.append(contentsOf: buffer[..<count])
        }
    }
}

/// Reads a pipe to its end on a thread of its own.
///
/// `@unchecked` because `data` is written before the semaphore is signalled and read after it.
private final class Reading: @unchecked Sendable {
    private var data = Data()
    private let done = DispatchSemaphore(value: 0)

    init(_ pipe: OutputPipe) {
        Thread { [self] in
            data = pipe.readToEnd()
            done.signal()
        }.start()
    }

    var text: String {
        done.wait()
        return String(decoding: data, as: UTF8.self)
    }
}
