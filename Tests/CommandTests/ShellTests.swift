// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Completions in an interactive bash.
@Suite("completions in bash")
struct ShellTests {
    /// Types lines into a bash that has loaded the completions.
    private func type(_ lines: [String], _ words: HostileWords) throws -> ProcessResult {
        let script = try words.script("bash")
        let input = ([" source \(script)"] + lines + ["exit"]).joined(separator: "\n") + "\n"
        let path = try words.bench.folder.write(Data(input.utf8), to: "input")
        // Uses a separate session, because bash would wait to run in the foreground of a terminal.
        return try runProgram(
            "/usr/bin/setsid",
            ["-w", "/bin/sh", "-c", "exec bash --norc --noprofile -i <'\(path)'"],
            environment: words.environment, folder: words.bench.folder.path)
    }

    @Test("titles complete literally, even after quotes, and are never executed")
    func hostileTitles() throws {
        let words = try HostileWords()
        let result = try type(words.lines.map { $0.typed + "\t" }, words)
        try words.expectInserted(words.lines)
        #expect(!result.errors.contains("compopt"), "\(result.errors)")
    }

    @Test("a partly completed word completes further")
    func furtherLetters() throws {
        let words = try HostileWords()
        for title in ["Zea: $A x", "Zea: $B y"] {
            _ = try words.bench.json("album", "create", title)
        }
        let typed = HostileWords.quotes.flatMap { quote in
            ["A", "B"].map { "edithost album show \(quote)Ze\t\($0)\t" }
        }
        _ = try type(typed, words)
        #expect(
            try words.recorded()
                == HostileWords.quotes.flatMap { _ in
                    ["Zea: $A x", "Zea: $B y"].map { ["album", "show", $0] }
                })
    }

    @Test("commands, options, values and files complete")
    func quality() throws {
        let words = try HostileWords()
        try words.write(Data(), to: "a file (1).json")
        try words.write(Data(), to: "a $(touch mark)/x.json")
        let typed = [
            "edithost exten\tli\t", "edithost list --fav\t", "edithost list --sort name\t",
            "edithost list --media-type im\t",
            "edithost preset import a\\ f\t", "edithost preset import a\\ \\$\tx\t",
            "edithost list --album fav\t", "edithost edit x --recipe \"a f\t",
        ]
        _ = try type(typed, words)
        #expect(
            try words.recorded() == [
                ["extensions", "list"], ["list", "--favorite"], ["list", "--sort", "name"],
                ["list", "--media-type", "image"],
                ["preset", "import", "a file (1).json"],
                ["preset", "import", "a $(touch mark)/x.json"],
                ["list", "--album", "favorites"],
                ["edit", "x", "--recipe", "a file (1).json"],
            ])
        #expect(!FileManager.default.fileExists(atPath: words.bench.folder.file("mark")))
    }

    @Test("parameter, choice and preset names of an untrusted extension are never executed")
    func hostileManifest() throws {
        let words = try HostileWords()
        let mark = words.bench.folder.file("mark")
        let evil = "$(touch \(mark))"
        let manifest: [String: Any] = [
            "identifier": "com.example.x", "name": "x", "version": "1.0", "abi": "1.0",
            "library": "x.so", "supportedMediaTypes": ["image"],
            "parameters": [
                ["name": "a\(evil)", "type": "boolean", "default": true],
                ["name": "b", "type": "text", "default": evil],
                ["name": "c", "type": "choice", "choices": [evil, "`\(evil)`"], "default": evil],
            ],
            "presets": [["name": "p\(evil)", "values": [:]]],
        ]
        try words.write(
            JSONSerialization.data(withJSONObject: manifest),
            to: "extensions/x.editingextension/manifest.json")
        try words.write(Data("no".utf8), to: "extensions/x.editingextension/x.so")
        let start = "edithost edit i --with com.example.x"
        _ = try type(
            ["\(start) --set b\t", "\(start) --set \t\t", "\(start) --preset p\t"], words)
        let recorded = try words.recorded()
        #expect(recorded.count == 3)
        #expect(recorded.first?.last == "b=\(evil)")
        #expect(recorded.last?.last == "p\(evil)")
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test("the generated scripts have no function that expands the offered words")
    func scripts() throws {
        let words = try HostileWords()
        let bash = try String(contentsOfFile: words.script("bash"), encoding: .utf8)
        #expect(bash.contains("printf -v quoted %q"))
        let zsh = try String(contentsOfFile: words.script("zsh"), encoding: .utf8)
        #expect(zsh.contains("compadd -V '' -- \"${@}\"") && !zsh.contains("non_empty_completions"))
        for arguments in [
            ["--generate-completion-script=bash"],
            ["list", "--generate-completion-script", "bash"],
        ] {
            #expect(try words.bench.run(arguments).output == bash, "\(arguments)")
        }
    }
}
