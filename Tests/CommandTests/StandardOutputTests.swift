// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Files that commands write to standard output.
@Suite("files on standard output")
struct StandardOutputTests {
    private let bench: Workbench
    private let id: String

    init() throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        (self.bench, id) = (bench, ids[0])
        _ = try bench.json("edit", id, "--with", "sepia", "--set", "intensity=0.4")
        _ = try bench.json("preset", "save", "faded", "--from", id)
    }

    /// The commands that write one file. `FILE` is the file, with its name in a folder.
    private static let commands = [
        "image ID --size 20x20 --output FILE.png", "preview ID --with sepia -o FILE.png",
        "image ID --contact-sheet FILE.svg", "resources ID --type photo --output FILE.dat",
        "preset export faded FILE.json",
        "extensions run extensions/SepiaFilter.editingextension --input SOURCE -o FILE.png",
    ]

    private func source() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: bench.folder.file("photos"))
        return "photos/" + (try #require(names.sorted().first))
    }

    /// Returns the words of a command, with `file` as the file that it writes.
    private func words(_ command: String, _ file: (String) -> String) throws -> [String] {
        let source = try source()
        return command.split(separator: " ").flatMap { word -> [String] in
            switch word {
            case "ID": [id]
            case "SOURCE": [source]
            case let word where word.hasPrefix("FILE."): [file(String(word.dropFirst(5)))]
            default: [String(word)]
            }
        }
    }

    private func toStandardOutput(_ command: String) throws -> [String] {
        try words(command) { _ in "-" }
            + (command.contains("FILE.png") ? ["--format", "png"] : [])
    }

    private func run(_ script: String, _ words: [String]) throws -> ProcessResult {
        try runProgram(
            "/bin/sh", ["-c", script, Workbench.command] + words,
            environment: bench.environment(), folder: bench.folder.path)
    }

    @Test("the bytes are those of the file, and nothing else is printed", arguments: commands)
    func bytes(command: String) throws {
        let written = try bench.run(try words(command) { "file.\($0)" })
        #expect(written.status == 0, "\(written.errors)")
        let ending = try #require(command.split(separator: "FILE.").last?.prefix { $0 != " " })
        let result = try run("exec \"$0\" \"$@\" >output", toStandardOutput(command))
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let (file, output) = try (
            Data(contentsOf: URL(fileURLWithPath: bench.folder.file("file.\(ending)"))),
            Data(contentsOf: URL(fileURLWithPath: bench.folder.file("output")))
        )
        let isText = ending == "json"
        #expect(output == (isText ? file + Data("\n".utf8) : file))
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("-")))
    }

    @Test("a full disk ends the command with 74 and a message", arguments: commands)
    func full(command: String) throws {
        let result = try run("exec \"$0\" \"$@\" >/dev/full", toStandardOutput(command))
        #expect(result.status == 74)
        #expect(
            result.errors
                == "edithost: cannot write standard output: No space left on device\n")
    }

    @Test("a closed pipe ends the command with 141 and no message", arguments: commands)
    func closed(command: String) throws {
        let script = """
            mkfifo pipe; exec 3<>pipe 4>pipe; exec 3>&-; "$0" "$@" >&4; echo $? >status
            """
        let result = try run(script, toStandardOutput(command))
        let status = try String(contentsOfFile: bench.folder.file("status"), encoding: .utf8)
        #expect(status == "141\n" && result.errors.isEmpty, "\(result.errors)")
    }

    @Test("pictures, videos and other files are not written to a terminal")
    func terminal() throws {
        let script = """
            import os, pty, subprocess, sys
            terminal, end = pty.openpty()
            sys.exit(subprocess.run(sys.argv[1:], stdout=end).returncode)
            """
        for command in Self.commands where !command.contains("preset") {
            let result = try runProgram(
                "/usr/bin/env",
                ["python3", "-c", script, Workbench.command] + toStandardOutput(command),
                environment: bench.environment(), folder: bench.folder.path)
            #expect(result.status == 64, "\(command)")
            #expect(result.errors.contains("standard output is a terminal"), "\(result.errors)")
        }
    }

    @Test(
        "the options that standard output needs and excludes are required",
        arguments: [
            ("image ID --output -", "--output - needs --format"),
            ("image ID --output - --format svg", "files cannot be written"),
            ("image ID --output - --format jpeg --json", "leave out --json"),
            ("image ID --output a.png --format jpeg", "--format needs --to or --output -"),
            ("image ID --contact-sheet - --json", "leave out --json"),
            ("image ID ID --output - --format png", "--output is for one photo"),
            ("preview ID --with sepia --output -", "--output - needs --format"),
            ("preview ID --with sepia --output a.png --format png", "--format needs --output -"),
            ("preview ID --with sepia --output - --format png --json", "leave out --json"),
            ("resources ID --type photo --output - --json", "leave out --json"),
            ("preset export faded - --json", "leave out --json"),
            ("extensions run x --input y -o - --format png --watch", "--watch needs a file"),
        ])
    func usage(command: String, words: String) throws {
        let result = try bench.run(try self.words(command) { $0 })
        #expect(result.status == 64)
        // With --json, the error is the only output.
        let codes = try result.objects.map { $0["errorCode"] as? String }
        #expect(codes == (command.contains("--json") ? ["usage"] : []))
        #expect(result.errors.contains(words), "\(result.errors)")
    }

    @Test("a file named - is written and read by its path")
    func nameOfFile() throws {
        let result = try bench.run("preset", "export", "faded", "./-")
        #expect(result.status == 0, "\(result.errors)")
        #expect(FileManager.default.fileExists(atPath: bench.folder.file("-")))
    }
}
