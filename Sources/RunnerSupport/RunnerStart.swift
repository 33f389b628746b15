// SPDX-License-Identifier: Apache-2.0

import CSandbox
import Glibc
import RunnerProtocol

/// The start of a runner's process, up to its first request, and its end.
///
/// It is started with ``RunnerArguments``, takes requests on the descriptor `CSANDBOX_CONTROL` and ends
/// with status 0 when the host closes that. Where it cannot have the sandbox that it must have it ends with
/// status 70.
package enum RunnerStart {
    /// A library that the runner works with cannot be used.
    package struct LibraryFailure: Error {
        let message: String

        /// - Parameter message: a sentence's beginning, such as "libvips cannot be started: …".
        package init(_ message: String) { self.message = message }
    }

    /// Puts the process into its sandbox, and serves.
    ///
    /// - Parameters:
    ///   - program: its name, for the host's log.
    ///   - startLibraries: loads and starts what is loaded once; no filter of system calls is in force yet.
    ///   - serve: takes requests until there are no more.
    package static func run(
        _ program: String, startLibraries: () throws -> Void,
        serve: (Connection, RunnerFolder?, SandboxFacts) throws -> Void
    ) -> Never {
        func leave(_ message: String, _ status: Int32) -> Never {
            let line = Array("\(program): \(message)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            exit(status)
        }
        guard let arguments = RunnerArguments(words: CommandLine.arguments.dropFirst()) else {
            leave("\(program) must be started by edithost, with its process identifier", 64)
        }
        // The user's working folder is no concern of extensions.
        _ = chdir("/")
        csandbox_volunteer()
        // A pipe that nobody reads any more is an error of the write, and no end.
        signal(SIGPIPE, SIG_IGN)
        let folder = RunnerFolder.fromEnvironment()
        do {
            // Landlock holds for threads that start after it: this comes before the first.
            // See docs/design/decisions/0007-sandbox-order.md.
            let sandbox = try Sandbox(arguments, folder: folder?.path)
            try startLibraries()
            try sandbox.close()
            try serve(Connection(socket: CSANDBOX_CONTROL), folder, sandbox.facts)
        } catch let error as Sandbox.Unavailable {
            leave("\(RunnerArguments.sandboxUnavailable)\(error)", 70)
        } catch let error as Sandbox.NoRunner {
            leave("cannot become a runner: \(error)", 71)
        } catch let error as WorkerThread.StartError {
            leave("cannot start a thread: \(String(cString: strerror(error.errno)))", 71)
        } catch let error as LibraryFailure {
            leave(error.message, 70)
        } catch {
            leave("cannot start: \(error)", 70)
        }
        // Not exit(): handlers of extensions would run beside the worker's thread.
        _exit(0)
    }
}
