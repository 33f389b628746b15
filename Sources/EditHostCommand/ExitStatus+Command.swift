// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput
import Library

extension ExitStatus {
    /// Creates the status of an error.
    init(_ error: any Error) {
        self = (error as? CommandEnd)?.status ?? ExitStatus(of: error)
    }

    /// Creates the status of several items: that of the first failure if all failed.
    init(failures: [any Error], of count: Int) {
        guard let first = failures.first else {
            self = .done
            return
        }
        self = failures.count < count ? .someFailed : ExitStatus(first)
    }

    /// Writes the message of the error that ends the program.
    ///
    /// - Returns: The exit status.
    static func reporting(_ error: any Error) -> Int32 {
        switch error {
        case let end as CommandEnd:
            if let message = end.message { StandardStream.error.message(message) }
            return end.status.rawValue
        case is HostError, is LibraryError, is CancellationError:
            break
        default:
            // Help, the version and usage errors are printed by the parser.
            let code = RootCommand.exitCode(for: error)
            if code == .success { return printing(error) }
            if code != .failure {
                StandardStream.error.write(lines: RootCommand.fullMessage(for: error))
                return code.rawValue
            }
        }
        StandardStream.error.message(words(for: error))
        return ExitStatus(error).rawValue
    }

    /// Prints help, the version, a completion script or completions.
    private static func printing(_ answer: any Error) -> Int32 {
        do {
            var text = RootCommand.fullMessage(for: answer)
            let isOffer = CommandLine.arguments.dropFirst().first == "---completion"
            if !isOffer, let shell = CompletionShell.requesting {
                text = try CompletionScript.replacingFunctions(in: text, for: shell)
            }
            if !text.isEmpty { try StandardStream.output.print(text + "\n") }
            return ExitStatus.done.rawValue
        } catch {
            return reporting(error)
        }
    }
}
