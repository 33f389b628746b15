// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel

extension CommandArguments {
    /// Rejects an unknown command or subcommand, and suggests the known one with the closest name.
    ///
    /// - Parameter words: The words before the arguments, for the message.
    static func rejectUnknownCommand(
        in arguments: ArraySlice<String>, of parent: any ParsableCommand.Type, after words: String
    ) throws {
        let commands = parent.configuration.subcommands
        guard let name = arguments.first, !name.begins(with: "-"), !commands.isEmpty, name != "help"
        else { return }
        let command = commands.first { $0.configuration.commandName == name }
        guard let command else {
            let names = commands.compactMap { $0.configuration.commandName }
            if parent.configuration.defaultSubcommand != nil {
                // The word is an argument of the default subcommand, unless it is a misspelt command.
                guard let meant = name.closest(among: names), !name.contains("/") else { return }
                throw CommandEnd(
                    status: .usage,
                    message: "unknown command \"\(name)\"; use \"\(words) \(meant)\", or "
                        + "\"./\(name)\" for a file or folder of this name")
            }
            throw CommandEnd(
                status: .usage,
                message: "unknown command \"\(name)\"\(name.closest(among: names).suggestion) "
                    + "(\"\(words) --help\" lists the commands)")
        }
        try rejectUnknownCommand(
            in: arguments.dropFirst(), of: command, after: "\(words) \(name)")
    }
}
