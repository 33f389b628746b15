// SPDX-License-Identifier: Apache-2.0

import CSandbox
import FileAccess
import Foundation
import Glibc
import RunnerProtocol

/// The parent of this process, which becomes a runner.
///
/// The user has started a program in a debugger. The program starts itself again as a child process, which is the host.
/// When the host requests a runner, the parent replaces itself with the runner, so the debugger sees the extension
/// without attaching to another process.
package struct RunnerParent: Sendable {
    /// The environment variable with the process identifier of the parent.
    private static let variable = "EDITHOST_RUNNER_PARENT"

    let socket: OpenFile
    /// The parent's process identifier.
    private let pid: pid_t

    /// Whether the parent has ended. No other process then reads the exit status of this process.
    package var isGone: Bool { getppid() != pid }

    /// The parent, if it has started this process with ``becomeRunner()``. Call it once.
    ///
    /// - Throws: `HostError` with `fileFailed` if the parent has ended.
    package static func ofThisProcess() throws -> RunnerParent? {
        guard let text = getenv(variable) else { return nil }
        let pid = pid_t(String(cString: text))
        unsetenv(variable)
        guard let pid, pid == getppid(), fcntl(CSANDBOX_CONTROL, F_SETFD, FD_CLOEXEC) == 0 else {
            throw HostError(.fileFailed, "the process that runs the extension has ended")
        }
        return RunnerParent(socket: OpenFile(descriptor: CSANDBOX_CONTROL), pid: pid)
    }

    // MARK: - The host

    /// Sends the command line and the environment of the runner to the parent, which then becomes the runner.
    static func start(
        _ words: [String], _ environment: [String], through socket: OpenFile
    ) throws -> (pid_t, OpenFile) {
        let message = Array((words + [""] + environment).joined(separator: "\0").utf8)
        guard csandbox_send(socket.descriptor, message, message.count, nil, 0) == 0 else {
            throw HostError.file("cannot be started", path: words[0])
        }
        let process = csandbox_process(getppid())
        guard process >= 0 else {
            throw HostError.file("cannot be watched", path: "the parent process")
        }
        return (getppid(), OpenFile(descriptor: process))
    }

    // MARK: - The parent

    /// Starts this program again, with the same arguments, and becomes the runner that it requests. If it requests
    /// none, this process exits with the status of that program.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    package static func becomeRunner() throws -> Never {
        var sockets: [Int32] = [-1, -1]
        guard csandbox_socket_pair(&sockets) == 0 else {
            throw HostError.file("cannot be created", path: "a socket pair")
        }
        let child = try startHost(socket: sockets[1])
        close(sockets[1])
        var message = [UInt8](repeating: 0, count: RunnerPacket.maximumLength)
        var count: Int32 = 0
        let length = csandbox_receive(sockets[0], &message, message.count, nil, &count)
        guard length > 0 else { exit(waitForExit(of: child)) }
        let strings = message[..<length].split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let words = Array(strings.prefix { !$0.isEmpty })
        for setting in strings.dropFirst(words.count + 1) {
            let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { setenv(parts[0], parts[1], 1) }
        }
        replaceProcess(by: words, socket: sockets[0])
        throw HostError.file("cannot be started", path: words.first ?? "the runner")
    }

    /// Replaces this process. Returns only if that fails.
    private static func replaceProcess(by words: [String], socket: Int32) {
        // The threads of the Swift runtime block signals, which the new program would inherit.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        // Standard output belongs to the host.
        dup2(STDERR_FILENO, STDOUT_FILENO)
        if socket == CSANDBOX_CONTROL {
            _ = fcntl(socket, F_SETFD, 0)
        } else {
            dup2(socket, CSANDBOX_CONTROL)
        }
        RunnerProcess.withArguments(words) { _ = execv(words[0], $0) }
    }

    /// Starts this program as a child, outside the terminal's foreground group, so that Ctrl-C reaches only the
    /// debugger.
    private static func startHost(socket: Int32) throws -> pid_t {
        setenv(variable, "\(getpid())", 1)
        defer { unsetenv(variable) }
        let child = csandbox_start_again(CommandLine.unsafeArgv, socket)
        guard child > 0 else { throw HostError.file("cannot be started again", path: "edithost") }
        return child
    }

    private static func waitForExit(of child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { return 70 }
        }
        return status & 0x7f == 0 ? status >> 8 & 0xff : 70
    }
}
