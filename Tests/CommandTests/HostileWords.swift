// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import TestSupport
import Testing

/// A library with album titles that are dangerous in a shell, and a stand-in for `edithost` on the path. The stand-in
/// forwards completion requests to the program, and records the arguments of other calls.
struct HostileWords {
    let bench: Workbench
    /// Titles with distinct first letters. Only the first letter is typed.
    let titles: [String]

    /// The quotes that are typed before the first letter.
    static let quotes = ["", "\"", "'"]

    init() throws {
        (bench, _) = try Workbench.withPhotos(1)
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
        // Never offered: titles that look like options, and titles that a terminal would not display faithfully.
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
        try bench.folder.writeProgram(program, to: "bin/edithost")
    }

    /// Writes a file and creates its parent folder.
    func write(_ data: Data, to name: String) throws {
        try FileManager.default.createDirectory(
            atPath: (bench.folder.file(name) as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
        try bench.folder.write(data, to: name)
    }

    /// A shell environment that ignores the user's configuration.
    var environment: [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return bench.environment([
            "PATH": "\(bench.folder.file("bin")):\(path)", "TERM": "dumb", "LC_ALL": "C.UTF-8",
            "INPUTRC": "/dev/null", "ZDOTDIR": bench.folder.path, "HISTFILE": "/dev/null",
        ])
    }

    /// Writes the completion script to a file and returns its path.
    func script(_ shell: String) throws -> String {
        let result = try bench.run("--generate-completion-script", shell)
        try #require(result.status == 0, "\(result.errors)")
        return try bench.folder.write(Data(result.output.utf8), to: "completions.\(shell)")
    }

    /// The text typed before the tab key, and the arguments expected after completion.
    var lines: [(typed: String, arguments: [String])] {
        titles.flatMap { title in
            Self.quotes.map { quote in
                ("edithost album show \(quote)\(title.prefix(1))", ["album", "show", title])
            }
        }
    }

    /// The arguments of each call, as recorded by the stand-in.
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

    /// Expects the inserted titles as arguments, and that no title was executed.
    func expectInserted(_ lines: [(typed: String, arguments: [String])]) throws {
        let recorded = try recorded()
        #expect(recorded.count == lines.count)
        for (call, line) in zip(recorded, lines) {
            #expect(call == line.arguments, "after \(line.typed)")
        }
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("mark")))
    }
}
