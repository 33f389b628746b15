// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import TestSupport
import Testing

/// A library with albums whose titles would do something in a shell, and a stand-in for the program on the path: it asks the
/// program for completions, and otherwise records its arguments.
struct HostileWords {
    let bench: Workbench
    /// Titles, each with its own first letter: that is what is typed of it.
    let titles: [String]

    /// What is typed before the letter of a title.
    static let quotes = ["", "\"", "'"]

    init() throws {
        (bench, _) = try Workbench.withPhotographs(1)
        let mark = bench.folder.file("mark")
        titles = [
            "A$(touch \(mark))", "B`touch \(mark)`", "C it's \"so\" '", "D;touch \(mark);",
            "E|touch \(mark)",
            "F>\(mark)", "G\\$(touch \(mark))\\", "H$HOME ${PATH}", "I!!", "J!:0 !touch", "K: l: m",
            "N*?[a-z]{1,2}",
            "O~ # = & < >", "Pü € 漢字", "Q(touch \(mark))", "R'$(touch \(mark))'",
            "S\"$(touch \(mark))\"",
            "T  two  blanks", "U%s%n\\n", "V=w",
        ]
        for title in titles { _ = try bench.json("album", "create", title) }
        // Never offered: what begins as an option, and what a terminal would not show as it is.
        for title in ["-rf", "-\u{301}x", "w\u{1B}[31m", "x\u{2028}y", "\u{202E}z"] {
            try #require(try bench.run("album", "create", "--", title).status == 0)
        }
        let album = try #require(
            try bench.json("album", "create", "first").first?["id"] as? String)
        try bench.execute(
            "UPDATE collection SET title = ? WHERE uuid = ?",
            ["y\n$(touch \(mark))", album])
        let program = """
            #!/bin/sh
            if [ "$1" = ---completion ]; then exec '\(try Workbench.command)' "$@"; fi
            printf '%s\\n' "$#" "$@" >>'\(bench.folder.file("arguments"))'

            """
        try write(Data(program.utf8), to: "bin/edithost")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: bench.folder.file("bin/edithost"))
    }

    /// Writes a file, with the folder that it is in.
    func write(_ data: Data, to name: String) throws {
        try FileManager.default.createDirectory(
            atPath: (bench.folder.file(name) as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
        try bench.folder.write(data, to: name)
    }

    /// The environment of a shell, which reads nothing of the user's.
    var environment: [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return bench.environment([
            "PATH": "\(bench.folder.file("bin")):\(path)", "TERM": "dumb", "LC_ALL": "C.UTF-8",
            "INPUTRC": "/dev/null", "ZDOTDIR": bench.folder.path, "HISTFILE": "/dev/null",
        ])
    }

    /// The completion script, in a file.
    func script(_ shell: String) throws -> String {
        let result = try bench.run("--generate-completion-script", shell)
        try #require(result.status == 0, "\(result.errors)")
        return try bench.folder.write(Data(result.output.utf8), to: "completions.\(shell)")
    }

    /// What is typed up to the tabulator, and the arguments that the line has to have with what is inserted.
    var lines: [(typed: String, arguments: [String])] {
        titles.flatMap { title in
            Self.quotes.map { quote in
                ("edithost album show \(quote)\(title.prefix(1))", ["album", "show", title])
            }
        }
    }

    /// The arguments that the stand-in recorded, of each line.
    func recorded() throws -> [[String]] {
        let text = try String(contentsOfFile: bench.folder.file("arguments"), encoding: .utf8)
        var rest = text.components(separatedBy: "\n").dropLast()
        var calls: [[String]] = []
        while let count = rest.popFirst().flatMap({ Int($0) }) {
            calls.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return calls
    }

    /// Checks what was inserted, and that no title was run.
    func expectInserted(_ lines: [(typed: String, arguments: [String])]) throws {
        let recorded = try recorded()
        #expect(recorded.count == lines.count)
        for (call, line) in zip(recorded, lines) {
            #expect(call == line.arguments, "after \(line.typed)")
        }
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("mark")))
    }
}
