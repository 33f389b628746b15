// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import Glibc
import StudioArguments

/// The command `edithost studio`.
struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio",
        abstract: "Browse and edit the library in a browser.",
        discussion: """
            Starts a web server for this machine and opens the browser; Ctrl-C stops it. The host \
            name and the port are kept for each library, so bookmarks work again after the next \
            start. A library is created if there is none.
            """,
        examples: """
            edithost studio
            edithost studio --read-only --port 4310
            edithost studio login
            """,
        subcommands: [Serve.self, LogIn.self], defaultSubcommand: Serve.self)

    /// `edithost studio serve`, the default.
    struct Serve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve", abstract: "Run the server. This is the default.",
            examples: """
                edithost studio serve --no-open
                """)

        @OptionGroup var arguments: StudioArguments
        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            try StudioCommand.execute("serve", arguments.words, libraryOptions, general)
        }
    }

    /// The command `edithost studio login`.
    struct LogIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "login",
            abstract: "Log in to the running server in a browser.",
            discussion: "The login link can be used once, within 5 minutes.",
            examples: """
                edithost studio login
                """)

        @Flag(name: .customLong("no-open"), help: "Do not open the browser.")
        var noOpen = false

        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            try StudioCommand.execute(
                "login", noOpen ? ["--no-open"] : [], libraryOptions, general)
        }
    }

    /// Replaces this program by the one with the web server, which is beside it.
    ///
    /// - Throws: `ValidationError` for `--no-sandbox`; `HostError` with `noSuchFile`.
    private static func execute(
        _ command: String, _ words: [String], _ libraryOptions: LibraryOptions,
        _ general: GeneralOptions
    ) throws {
        if general.noSandbox {
            throw ValidationError("--no-sandbox is not available for the studio.")
        }
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let program = executable.deletingLastPathComponent().path + "/edithost-studio"
        let all =
            [program, command, "--library=\(libraryOptions.path)"] + words
            + (general.json ? ["--json"] : []) + (general.verbose ? ["--verbose"] : [])
        let pointers = all.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        execv(program, pointers + [nil])
        throw HostError(
            .noSuchFile, "\(program) cannot be run: \(String(cString: strerror(errno)))")
    }
}
