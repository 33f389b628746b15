// SPDX-License-Identifier: Apache-2.0

import CSandbox
import Glibc
import RunnerProtocol

/// The life cycle of a runner process: start-up until the first request, and exit.
///
/// The process is started with ``RunnerArguments`` and reads requests from the descriptor `CSANDBOX_CONTROL`. It
/// exits with status 0 when the host closes that descriptor, and with status 70 if a required sandbox is
/// unavailable. If the host is a child of the process, it exits with the status of the host.
package enum RunnerStart {
    /// A required library that cannot be used.
    package struct LibraryFailure: Error {
        let message: String

        /// Creates a failure.
        ///
        /// - Parameter message: The start of a sentence, such as "libvips cannot be started: …".
        package init(_ message: String) { self.message = message }
    }

    /// Sandboxes the process and serves requests.
    ///
    /// - Parameters:
    ///   - program: The program's name, for the host's log.
    ///   - startLibraries: Loads and starts libraries that are loaded once. The system call filter is not in force
    ///     yet.
    ///   - serve: Handles requests until there are no more.
    package static func run(
        _ program: String, startLibraries: () throws -> Void,
        serve: (Connection, RunnerFolder?, SandboxFacts) throws -> Void
    ) -> Never {
        func exitWithMessage(_ message: String, _ status: Int32) -> Never {
            let line = Array("\(program): \(message)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            exit(status)
        }
        guard let arguments = RunnerArguments(words: CommandLine.arguments.dropFirst()) else {
            exitWithMessage(
                "\(program) must be started by edithost, with its process identifier", 64)
        }
        // Extensions must not see the user's working directory.
        _ = chdir("/")
        csandbox_volunteer()
        // Writing to a closed pipe must return an error instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        csandbox_report_crashes()
        let folder = RunnerFolder.fromEnvironment()
        do {
            // Landlock applies to threads started after it, so it comes before the first one.
            // See docs/design/decisions/0007-sandbox-order.md.
            let sandbox = try Sandbox(arguments, folder: folder?.path)
            try startLibraries()
            try sandbox.close()
            try serve(Connection(socket: CSANDBOX_CONTROL), folder, sandbox.facts)
        } catch let error as Sandbox.Unavailable {
            exitWithMessage("\(RunnerArguments.sandboxUnavailable)\(error)", 70)
        } catch let error as Sandbox.NoRunner {
            exitWithMessage("cannot become a runner: \(error)", 71)
        } catch let error as WorkerThread.StartError {
            exitWithMessage("cannot start a thread: \(String(cString: strerror(error.errno)))", 71)
        } catch let error as LibraryFailure {
            exitWithMessage(error.message, 70)
        } catch {
            exitWithMessage("cannot start: \(error)", 70)
        }
        // Does not call exit(), because exit handlers of extensions would run concurrently with the worker's thread.
        _exit(arguments.isParent ? exitStatus(of: arguments.host) : 0)
    }

    /// Waits until a child has exited. Returns its status, 70 if a signal ended it.
    private static func exitStatus(of child: Int32) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { return 70 }
        }
        return status & 0x7f == 0 ? status >> 8 & 0xff : 70
    }
}
