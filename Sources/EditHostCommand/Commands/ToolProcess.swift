// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Glibc
import Synchronization

/// A running program, such as `make`. Everything it prints goes to standard error.
final class ToolProcess: Sendable {
    /// The process, which leads its own process group; `nil` after it has exited.
    private let running: Mutex<pid_t?>

    /// Starts a program, which is looked up in `PATH`.
    ///
    /// - Parameter words: The name of the program and its arguments.
    /// - Throws: `HostError` with the code `fileFailed`.
    init(_ words: [String]) throws { running = Mutex(try Self.spawn(words)) }

    private static func spawn(_ words: [String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This program ignores signals, and its worker threads block them. Compilers should do neither.
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let variables = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        let program = words.first ?? ""
        var process: pid_t = 0
        let error = withWords(words) { words in
            withWords(variables) { variables in
                posix_spawnp(&process, program, &actions, &attributes, words, variables)
            }
        }
        guard error == 0 else {
            throw HostError(
                .fileFailed,
                "\(program) cannot be started: \(String(cString: strerror(error)))")
        }
        return process
    }

    private static func withWords<Value>(
        _ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = words.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }

    /// Waits until the process has exited. Cancelling the task terminates it and its children.
    ///
    /// - Returns: The wait status, 0 for success; -1 if it is unknown.
    func end() async -> Int32 {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [self] in
                    continuation.resume(returning: wait())
                }
            }
        } onCancel: {
            running.withLock { process in
                if let process { kill(-process, SIGTERM) }
            }
        }
    }

    private func wait() -> Int32 {
        guard let process = running.withLock({ $0 }) else { return 0 }
        var info = siginfo_t()
        // The process is reaped under the lock, so that its number is not reused while it may be signalled.
        while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return running.withLock { running in
            running = nil
            var status: Int32 = 0
            while true {
                let ended = waitpid(process, &status, 0)
                if ended == process { return status }
                guard ended < 0, errno == EINTR else { return -1 }
            }
        }
    }
}
