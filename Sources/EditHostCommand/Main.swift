// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FileAccess
import Glibc

/// The program's entry: parses, runs the command, and ends with its status.
@main
enum Main {
    static func main() async {
        // A file must not get the number of a stream that the program was started without: what
        // is printed would be written into it. Nothing can be written to one opened so.
        while case let number = open("/dev/null", O_RDONLY), number >= 0 {
            guard number <= StandardStream.error.rawValue else {
                close(number)
                break
            }
        }
        // A closed pipe is noticed when writing to it, so that runners are still ended in order.
        signal(SIGPIPE, SIG_IGN)
        // A limit on the size of files is then an error of writing, as a full disk is.
        signal(SIGXFSZ, SIG_IGN)
        exit(await run())
    }

    /// The words of the command line. Swift's own would have lost what is not UTF-8.
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
