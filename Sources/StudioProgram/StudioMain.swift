// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import Glibc
import JSONOutput
import Library

/// The entry point of the program.
@main
enum StudioMain {
    static func main() async {
        // A closed connection then causes a write error.
        signal(SIGPIPE, SIG_IGN)
        // A file size limit then causes a write error, as a full disk does.
        signal(SIGXFSZ, SIG_IGN)
        exit(await run())
    }

    private static func run() async -> Int32 {
        do {
            var command = try StudioRootCommand.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return ExitStatus.done.rawValue
        } catch {
            return report(error)
        }
    }

    /// Writes the message of an error.
    ///
    /// - Returns: The exit status.
    private static func report(_ error: any Error) -> Int32 {
        switch error {
        case is HostError, is LibraryError, is CancellationError:
            let message = "edithost: \(ExitStatus.words(for: error).printable)\n"
            FileHandle.standardError.write(Data(message.utf8))
            return ExitStatus(of: error).rawValue
        default:
            // Help, the version and usage errors are printed by the parser.
            StudioRootCommand.exit(withError: error)
        }
    }
}
