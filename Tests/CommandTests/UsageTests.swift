// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import EditHostCommand

/// Invalid command lines, and requests for help.
@Suite("usage")
struct UsageTests {
    @Test(
        "a value named like a command does not disable --version",
        arguments: [
            ["list", "--text", "export", "--version"], ["list", "--text", "image", "--version"],
            ["preset", "export", "--version"],
        ])
    func version(words: [String]) throws {
        let bench = try Workbench()
        let version = try bench.run("--version")
        #expect(version.status == 0 && !version.output.isEmpty)
        #expect(try bench.run(words).output == version.output)
    }

    @Test("--library before help and before a group of commands is accepted")
    func libraryOfHelp() throws {
        let bench = try Workbench()
        for words in [["help"], ["help", "list"], ["album"], ["trash"]] {
            let plain = try bench.run(words)
            let result = try bench.run(["--library", "/x"] + words)
            #expect(result.output == plain.output && result.status == plain.status, "\(words)")
        }
    }

    @Test("the command follows --library and is not an option")
    func command() {
        #expect(CommandArguments.command(in: ["export", "--version"]) == "export")
        #expect(CommandArguments.command(in: ["--library", "export", "image"]) == "image")
        #expect(CommandArguments.command(in: ["--version", "export"]) == nil)
        #expect(CommandArguments.command(in: []) == nil)
    }

    @Test(
        "every command takes --library",
        arguments: NamedCommand.all.filter { $0.type.configuration.subcommands.isEmpty })
    func library(command: NamedCommand) {
        #expect(command.type.helpMessage(includeHidden: true).contains("--library <path>"))
    }

    @Test(
        "--library is accepted before a command, before its subcommand and after both",
        arguments: [
            ["preset", "list"], ["extensions", "show", "sepia"],
            ["extensions", "quarantine", "list"],
            ["doctor"], ["album", "list"], ["list"],
        ])
    func libraryAnywhere(words: [String]) throws {
        let (bench, _) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        let library = ["--library", bench.folder.file("Photos.editlibrary")]
        let name = words.firstIndex { $0 == "sepia" } ?? words.count
        let expected = try bench.run(words)
        for place in 0...words.count where place <= name || place == words.count {
            let typed = Array(words[..<place]) + library + words[place...]
            let result = try runProgram(
                Workbench.command, typed,
                environment: bench.environment(["EDITHOST_LIBRARY": "/nonexistent"]))
            #expect(result.status == expected.status, "\(typed): \(result.errors)")
            #expect(result.output == expected.output, "\(typed)")
        }
    }

    @Test(
        "wrong usage exits with 64, explains the error and prints nothing to standard output",
        arguments: [
            (["nonsense"], "unknown command \"nonsense\" (\"edithost --help\" lists the commands)"),
            (["exprot"], "unknown command \"exprot\"; did you mean \"export\"?"),
            (["album", "crate", "A"], "unknown command \"crate\"; did you mean \"create\"?"),
            (["--library", "/x", "nonsense"], "unknown command \"nonsense\""),
            (["--library"], "--library needs a path, followed by a command"),
            (["--library", "/x"], "--library needs a path, followed by a command"),
            (["import"], "Missing expected argument '<path> ...'"),
            (["preview"], "Missing expected argument '<id>'"),
            (["edit", "a"], "Give an edit: '--with <extension>'"),
            (["edit", "a", "--recipe", "r.json"], "'--preset <name>', or '--from <id>'"),
            (
                ["preview", "a", "--output", "a.png"],
                "Missing expected argument '--with <extension>'"
            ),
            (
                ["edit", "--with", "sepia"],
                "Give at least one identifier or filter, or --all"
            ),
            (
                ["edit", "a", "--with", "sepia", "--set", "intensity"],
                "'intensity' is invalid for '--set <name=value>': write NAME=VALUE, such as"
            ),
            (["edit", "a", "--with", "sepia", "--set", "=1"], "write NAME=VALUE"),
            (
                ["edit", "a", "--with", "sepia", "--set", "x=1", "--set", "x=2"],
                "The parameter x is set more than once."
            ),
            (["edit", "a", "--with", "sepia", "--step", "one"], "'one' is invalid"),
            (["list", "--limit", "0"], "--limit must be at least 1."),
            (["list", "--limit", "-1"], "--limit must be at least 1."),
            (["export", "--all", "--to", "x", "--quality", "-1"], "must be from 1 to 100."),
            (["image", "--all", "--to", "x", "--quality", "-5"], "must be from 1 to 100."),
            (["image", "--all", "--to", "x", "--jobs", "-2"], "--jobs must be at least 1."),
            (["export", "--all", "--to", "x", "--jobs", "-2"], "--jobs must be at least 1."),
            (["rerender", "--all", "--jobs", "-2"], "--jobs must be at least 1."),
            (["export", "--all", "--to", "x", "--crf", "-1"], "--crf must be from 0 to 51."),
            (
                ["export", "--all", "--to", "x", "--height", "-1"],
                "--height must be from 16 to 16384."
            ),
            (["check", "--read-data", "-1"], "--read-data must be a percentage from 0 to 100."),
            (["prune", "--older-than", "-0.5"], "--older-than must be a number of days, from 0"),
            (["list", "--media-type", "picture"], "'picture' is invalid"),
            (["list", "--subtype", "big"], "'big' is invalid"),
            (["list", "--since", "yesterday"], "'yesterday' is invalid"),
            (["list", "--until", "2024-02-30"], "'2024-02-30' is invalid"),
            (["list", "--since", "2024-02-28T25:00"], "'2024-02-28T25:00' is invalid"),
            (["list", "--near", "91,0,1"], "'91,0,1' is invalid"),
            (["list", "--near", "10,10"], "'10,10' is invalid"),
            (["list", "--sort", "colour"], "'colour' is invalid"),
            (["list", "--sort", "date:up"], "'date:up' is invalid"),
            (["export", "a"], "Missing expected argument '--to <folder>'"),
            (["export", "a", "--version", "current"], "Missing expected argument '--to <folder>'"),
            (["export", "--to", "x"], "Give at least one identifier"),
            (["export", "a", "--all", "--to", "x"], "not both"),
            (["export", "a", "--to", "x", "--version", " "], "' ' is invalid"),
            (["export", "a", "--to", "x", "--format", "doc"], "'doc' is invalid"),
            (["export", "a", "--to", "x", "--size", "10"], "'10' is invalid"),
            (["export", "a", "--to", "x", "--size", "0x10"], "'0x10' is invalid"),
            (["export", "a", "--to", "x", "--quality", "101"], "from 1 to 100"),
            (["rerender"], "Give at least one identifier"),
            (["rerender", "--all", "--missing", "foo"], "--missing takes skip or fail, not"),
            (["rerender", "--missing", "foo", "--all"], "--missing takes skip or fail, not"),
            (["rerender", "--all", "--missing=foo"], "--missing takes skip or fail, not"),
            (["rerender", "--all", "--missing="], "--missing takes skip or fail, not \"\""),
            (["rerender", "--limit", "2"], "Give at least one identifier"),
            (["rerender", "--all", "--limit", "0"], "--limit must be at least 1."),
            (["rerender", "a", "--limit", "2"], "--sort and --limit need a filter"),
            (["export", "a", "--sort", "date", "--to", "x"], "--sort and --limit need a filter"),
            (["rerender", "--all", "--jobs", "0"], "--jobs must be at least 1"),
            (["check", "--read-data", "101"], "from 0 to 100"),
            (["check", "--from", "backup"], "--from needs --repair"),
            (["prune", "--keep", "-1"], "--keep"),
            (["extensions", "install"], "Missing expected argument '<path|url>'"),
        ])
    func wrongUsage(arguments: [String], words: String) throws {
        let bench = try Workbench()
        let result = try runProgram(
            Workbench.command, arguments, environment: bench.environment())
        #expect(result.status == 64, "\(arguments)")
        #expect(result.output == "")
        #expect(result.errors.contains(words), "\(result.errors)")
    }

    @Test("-version prints the version, and --help lists every command, each with its own help")
    func versionAndHelp() throws {
        let bench = try Workbench()
        let version = try bench.run("--version")
        #expect(version.status == 0)
        #expect(version.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
        let help = try bench.run("--help")
        #expect(help.status == 0)
        for command in Self.commands {
            #expect(help.output.contains("\n  \(command) "), "\(command)")
            let own = try bench.run(command, "--help")
            #expect(own.status == 0)
            #expect(own.output.hasPrefix("OVERVIEW: "))
        }
    }

    /// The names of the program's commands.
    private static let commands = RootCommand.configuration.subcommands.map { $0._commandName }

    @Test(
        "completion scripts for bash, zsh and fish contain every command",
        arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let bench = try Workbench()
        let result = try bench.run("--generate-completion-script", shell)
        #expect(result.status == 0)
        for command in Self.commands {
            #expect(result.output.contains(try Regex("\\b\(command)\\b")), "\(command)")
        }
        guard shell == "bash" else { return }
        // Bash is installed on every machine; `-n` parses the script without running it.
        let script = bench.folder.file("edithost.bash")
        try result.output.write(toFile: script, atomically: true, encoding: .utf8)
        let read = try runProgram("/bin/bash", ["-n", script])
        #expect(read.status == 0, "\(read.errors)")
    }

    @Test("closed standard output ends the program without a message")
    func closedOutput() throws {
        let (bench, _) = try Workbench.withPhotos(1)
        // The reader closes the pipe before the first byte is written.
        let output = Pipe()
        try output.fileHandleForReading.close()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try Workbench.command)
        process.arguments = ["list", "--json"]
        process.environment = bench.environment()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 141)
        #expect(said.isEmpty, "\(String(decoding: said, as: UTF8.self))")
    }
}
