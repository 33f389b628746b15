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
            guard let message = end.message else { return end.status.rawValue }
            printObject(message, end.status.code, end.status)
            StandardStream.error.message(message)
            return end.status.rawValue
        case is HostError, is LibraryError, is CancellationError:
            break
        default:
            // Help, the version and usage errors are printed by the parser.
            let code = RootCommand.exitCode(for: error)
            if code == .success { return printing(error) }
            if code != .failure {
                let status = ExitStatus(rawValue: code.rawValue) ?? .usage
                printObject(RootCommand.message(for: error), status.code, status)
                StandardStream.error.write(lines: RootCommand.fullMessage(for: error))
                return code.rawValue
            }
        }
        printObject(words(for: error), Self.code(for: error), ExitStatus(error))
        StandardStream.error.message(words(for: error))
        return ExitStatus(error).rawValue
    }

    /// Prints the error as the last JSON object if the command prints JSON.
    ///
    /// The arguments are searched, because a command line that cannot be parsed has no options. No object is printed if
    /// standard output cannot be written.
    private static func printObject(_ message: String, _ code: String, _ status: ExitStatus) {
        let words = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
        let isDump =
            CommandArguments.command(in: Array(words)) == DumpCommand.configuration.commandName
        let isJSON = words.contains("--json") || isDump
        guard isJSON, status != .outputFailed, status != .outputClosed else { return }
        let row: JSONRow = [
            "error": message, "errorCode": code, "exitStatus": Int(status.rawValue),
        ]
        try? StandardStream.output.print(JSONText.of(row) + "\n")
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
