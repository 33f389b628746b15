// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FileAccess
import Glibc
import JSONOutput

/// The entry point of the program.
@main
enum EditHostMain {
    static func main() async {
        // Reserves the standard streams that the program was started without. Otherwise, a file could get such
        // a descriptor and receive printed output. The reserved descriptors are read-only, so writes fail.
        while case let number = open("/dev/null", O_RDONLY), number >= 0 {
            guard number <= StandardStream.error.rawValue else {
                close(number)
                break
            }
        }
        // A closed pipe then causes a write error, so that runners are still shut down properly.
        signal(SIGPIPE, SIG_IGN)
        // A file size limit then causes a write error, as a full disk does.
        signal(SIGXFSZ, SIG_IGN)
        let status = await run()
        if status == ExitStatus.interrupted.rawValue { Interruption.endBySignal() }
        exit(status)
    }

    /// The words of the command line. `CommandLine.arguments` loses bytes that are not UTF-8.
    private static var typed: [String] {
        (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map {
                String(pathBytes: UnsafeRawBufferPointer(start: $0, count: strlen($0)))
            }
        }
    }

    private static func run() async -> Int32 {
        defer { OpenLibraries.close() }
        do {
            let arguments = try CommandArguments(Array(typed.dropFirst()))
            var command = try RootCommand.parseAsRoot(arguments.arranged)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return ExitStatus.done.rawValue
        } catch {
            return ExitStatus.reporting(error)
        }
    }
}
