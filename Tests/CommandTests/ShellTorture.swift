// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Completions in an interactive zsh and fish, if installed.
@Suite("completions in zsh and fish", .torture)
struct ShellTorture {
    /// Starts a shell at a terminal and types each line of a file, waiting for a prompt after each. The tab key
    /// completes the word and runs the line.
    private static let driver = #"""
        import os, pty, sys
        lines = open(sys.argv[1]).read().splitlines()
        pid, terminal = pty.fork()
        if pid == 0:
            os.execvp(sys.argv[2], sys.argv[2:])
        seen = b""
        def wait(count):
            global seen
            while seen.count(b"READY>") < count:
                seen += os.read(terminal, 65536)
        for number, line in enumerate(lines):
            wait(number + 1)
            os.write(terminal, line.encode() + b"\t")
        wait(len(lines) + 1)
        os.close(terminal)
        """#

    private func type(
        _ lines: [(typed: String, arguments: [String])], _ shell: [String], _ words: HostileWords
    ) throws {
        let typed = lines.map(\.typed).joined(separator: "\n")
        let file = try words.bench.folder.write(Data(typed.utf8), to: "lines")
        let driver = try words.bench.folder.write(Data(Self.driver.utf8), to: "driver.py")
        let result = try runProgram(
            "/usr/bin/env", ["timeout", "1800", "python3", driver, file] + shell,
            environment: words.environment, folder: words.bench.folder.path)
        #expect(result.status == 0, "\(result.errors)")
        try words.expectInserted(lines)
    }

    private static func isInstalled(_ shell: String) -> Bool {
        (try? runProgram("/usr/bin/env", [shell, "-c", "true"]))?.status == 0
    }

    @Test(
        "zsh completes titles literally, even after quotes, and executes none",
        .enabled(if: isInstalled("zsh"), "zsh is not installed"))
    func zsh() throws {
        let words = try HostileWords()
        let settings = """
            autoload -U compinit; compinit -u -D; source '\(try words.script("zsh"))'
            both() { zle complete-word; zle accept-line }
            zle-line-init() { print -n 'READY>' }
            zle -N both; zle -N zle-line-init; bindkey '^I' both; setopt banghist

            """
        try words.bench.folder.write(Data(settings.utf8), to: ".zshrc")
        try type(words.lines, ["zsh", "-d", "-i"], words)
    }

    @Test(
        "fish completes titles literally, even after quotes, and executes none",
        .enabled(if: isInstalled("fish"), "fish is not installed"))
    func fish() throws {
        let words = try HostileWords()
        let settings = """
            source '\(try words.script("fish"))'
            bind \\t complete execute
            function ready --on-event fish_prompt; echo -n 'READY>'; end
            """
        // fish leaves an opening quote open if the title ends with a double quote, so nothing is run.
        let lines = words.lines.filter { line in
            line.arguments.last?.hasSuffix("\"") != true
                || !line.typed.contains { "'\"".contains($0) }
        }
        try type(lines, ["fish", "--no-config", "-i", "-C", settings], words)
    }
}
