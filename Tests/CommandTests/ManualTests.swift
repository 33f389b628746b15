// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import EditHostCommand

/// A command with the words that invoke it.
struct NamedCommand: CustomTestStringConvertible {
    let type: any ParsableCommand.Type
    let words: [String]

    var testDescription: String { words.joined(separator: " ") }

    /// All commands, starting with the program itself.
    static let all = tree(RootCommand.self, [])

    private static func tree(
        _ type: any ParsableCommand.Type, _ parents: [String]
    ) -> [NamedCommand] {
        let words = parents + [type.configuration.commandName ?? ""]
        return [NamedCommand(type: type, words: words)]
            + type.configuration.subcommands.flatMap { tree($0, words) }
    }
}

extension CommandConfiguration {
    /// The command lines of its examples.
    fileprivate var examples: [Substring] {
        discussion.split(separator: "\n").drop { $0 != "Examples:" }.dropFirst()
            .map { $0.drop { $0 == " " } }
    }
}

/// The examples in the help and the manual, and the manual pages.
@Suite("the manual")
struct ManualTests {
    @Test("each command has examples of itself that parse", arguments: NamedCommand.all)
    func examples(command: NamedCommand) throws {
        let examples = command.type.configuration.examples
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(example.count < 76, "\(example)")
            #expect(
                example.hasPrefix(command.testDescription + " ")
                    || example == command.testDescription)
            let parsed = try CommandLineExample(String(example)).parse()
            guard command.type.configuration.subcommands.isEmpty else { continue }
            #expect(type(of: parsed) == command.type, "\(example)")
        }
    }

    @Test("help ends with the examples verbatim")
    func help() throws {
        let result = try Workbench().run("edit", "--help")
        let examples = EditCommand.configuration.examples.map { "  \($0)" }
        #expect(examples.count == 8)
        #expect(result.output.contains("Examples:\n" + examples.joined(separator: "\n")))
    }

    private static let generator = "\(BuildProducts.folder)/generate-manual"

    @Test(
        "the manual has a page for each command, with its examples",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: generator),
            "swift build --product generate-manual"))
    func pages() throws {
        let folder = try TemporaryFolder()
        let result = try runProgram(
            "\(BuildProducts.packageFolder)/Scripts/manual", [BuildProducts.folder, folder.path])
        #expect(result.status == 0, "\(result.errors)")
        var names: Set<String> = []
        for command in NamedCommand.all {
            let name = command.words.joined(separator: "-")
            names.insert("\(name).1")
            let page = try String(contentsOfFile: folder.file("\(name).1"), encoding: .utf8)
            #expect(page.contains("\n.Dt \(name.uppercased()) 1\n"), "\(name)")
            // mandoc and groff warn about empty lines.
            #expect(!page.contains("\n\n"), "\(name)")
            for example in command.type.configuration.examples {
                #expect(page.contains("\n  \(example)\n"), "\(name): \(example)")
            }
            // The pages that it refers to exist too.
            let subcommands = command.type.configuration.subcommands
                .compactMap { $0.configuration.commandName }
            for subcommand in subcommands {
                #expect(page.contains("\n.Xr \(name)-\(subcommand) 1"), "\(name)")
            }
        }
        let written = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(written) == names)
    }

    @Test(
        "the help of an argument with a default does not state it twice",
        arguments: NamedCommand.all)
    func defaults(command: NamedCommand) {
        let words = command.type.helpMessage().split(whereSeparator: \.isWhitespace)
        let help = words.joined(separator: " ")
        #expect(!help.contains(#/\(default: [^()]*\)\.? \(default: /#))
    }

    @Test("help has no characters that the manual generator drops")
    func characters() throws {
        let help = try Workbench().run("--experimental-dump-help")
        #expect(help.status == 0)
        let others = help.output.filter { !$0.isASCII }
        #expect(others.isEmpty)
    }
}
