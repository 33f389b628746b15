// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Runs every command on a library that is prepared to damage a neighbouring folder.
struct HostileBench {
    /// The documented exit statuses; see `ExitStatus`.
    private static let documented: Set<Int32> = [0, 1, 2, 64, 65, 66, 69, 70, 73, 75]

    let bench: Workbench
    private let ids: [String]
    private let album: String
    private let folder: String
    let library: String
    private let picture: String

    init() throws {
        (bench, ids) = try Workbench.withPhotos(2, extensions: ["SepiaFilter"])
        library = bench.folder.file("Photos.editlibrary")
        picture = try bench.picture(seed: 7)
        for intensity in ["0.3", "0.8"] {
            _ = try bench.json(
                "edit", ids[0], "--with", "sepia", "--set", "intensity=\(intensity)")
        }
        folder = try #require(
            try bench.json("album", "folder", "create", "F").first?["id"] as? String)
        album = try #require(try bench.json("album", "create", "A").first?["id"] as? String)
        _ = try bench.json("album", "add", album, ids[0])
    }

    /// All commands; those that remove what others need come last.
    var commands: [[String]] {
        [
            ["list"], ["status"], ["list", "--no-album", "--format", "png", "--sort", "rating"],
            ["album", "list", "--smart"], ["dump", "--all"], ["show", ids[0]],
            ["history", ids[0]],
            ["resources", ids[0], "--type", "photo", "--output", bench.folder.file("resource")],
            ["export", ids[0], "--version", "original", "--to", bench.folder.file("out")],
            ["export", ids[0], "--version", "current", "--to", bench.folder.file("out")],
            [
                "preview", ids[0], "--with", "sepia", "--output", bench.folder.file("preview.png"),
            ],
            ["apply", picture, "--with", "sepia", "--to", bench.folder.file("applied")],
            ["image", ids[0], "--size", "9x9", "--output", bench.folder.file("image.png")],
            [
                "image", "--all", "--contact-sheet", bench.folder.file("sheet.html"), "--caption",
                "name,date,id",
            ],
            ["frames", ids[0], "--every", "1s", "--to", "nothing"],
            ["convert-live", "--to", "pair", "--output", "nothing", "nothing"],
            ["album", "list"], ["album", "show", album], ["watch", "--no-wait"], ["log"],
            ["undo", "--last", "--dry-run"], ["undo", "@1", "--dry-run"],
            ["extensions", "list", "--for", ids[0]], ["extensions", "show", "sepia"],
            ["extensions", "manifest", "nothing"], ["extensions", "usage"],
            ["extensions", "new", "A", "--identifier", "nothing"],
            ["extensions", "run", "--input", picture, "-o", "nothing.png", "nothing"],
            ["extensions", "validate", "nothing"],
            ["extensions", "outdated", "--index", "nothing"],
            ["extensions", "update", "--index", "nothing"],
            ["extensions", "package", "nothing"], ["extensions", "trust-publisher", "nothing"],
            ["extensions", "quarantine", "list"], ["extensions", "quarantine", "release", "sepia"],
            ["extensions", "allow-original", "nothing"],
            ["extensions", "forbid-original", "nothing"],
            ["extensions", "trust", "sepia"], ["extensions", "untrust", "sepia"],
            ["extensions", "install", bench.folder.file("nothing")],
            ["extensions", "remove", "nothing"], ["doctor"], ["check", "--read-data", "100"],
            ["work", "status", "nothing"], ["work", "commit", "nothing"],
            // A server that started would not end. Its certificate is missing.
            [
                "studio", "serve", "--no-open", "--listen", "127.0.0.1", "--host", "a", "--key",
                "nothing", "--certificate", "nothing",
            ],
            ["studio", "login", "--no-open"],
            ["import", picture], ["import", "--show-rejected"],
            ["import", "--move", bench.folder.file("photos/picture1.png")],
            ["edit", ids[0], "--with", "sepia", "--set", "intensity=0.5"], ["undo", ids[0]],
            ["redo", ids[0]], ["undo", "--last"], ["redo", ids[0]], ["undo", "@3"],
            ["edits", "list", ids[0]],
            ["edits", "move", ids[0], "1", "--to", "1"],
            ["edits", "disable", ids[0], "1"], ["edits", "enable", ids[0], "1"],
            ["version", "save", ids[0], "--name", "a", "--replace"], ["version", "list", ids[0]],
            ["version", "use", ids[0], "--name", "a"],
            ["version", "rename", ids[0], "--name", "a", "--to", "b"],
            ["version", "remove", ids[0], "--name", "b"],
            ["extensions", "replace", "sepia", "nothing"], ["extensions", "upgrade", "sepia"],
            ["edits", "remove", ids[0], "9"], ["copy-edits", ids[0], ids[1]],
            ["preset", "save", "a", "--from", ids[0], "--replace"], ["preset", "list"],
            ["preset", "show", "a"], ["preset", "rename", "a", "b"],
            ["preset", "export", "b", bench.folder.file("b.json")],
            ["preset", "import", bench.folder.file("nothing")], ["preset", "remove", "b"],
            ["revert", ids[0]], ["rerender", "--all", "--force"],
            ["work", "plan", bench.folder.file("plan"), "--all", "--force"],
            ["favorite", ids[0]], ["hide", ids[0], "--off"], ["set", ids[0], "--location", "1,2"],
            ["album", "create", "B"], ["album", "add", album, ids[1]],
            ["album", "move", album, ids[1], "--to-start"], ["album", "cover", album, ids[1]],
            ["album", "remove", album, ids[1]], ["album", "rename", album, "C"],
            ["album", "folder", "create", "G"], ["album", "folder", "rename", folder, "H"],
            ["album", "folder", "put", album, "--folder", folder],
            ["album", "folder", "put", album, "--top"], ["album", "delete", album],
            ["album", "folder", "delete", folder],
            ["backup", "create", bench.folder.file("backup")],
            ["backup", "list", "nothing"], ["backup", "prune", "nothing", "--keep", "1"],
            ["restore", "nothing"],
            [
                "work", "run", "--plan", String(repeating: "0", count: 64), "--shard", "0",
                "nothing",
            ],
            ["set", ids[0], "--keyword", "sea"], ["keyword", "list"],
            ["keyword", "rename", "sea", "lake"], ["keyword", "merge", "lake", "pond"],
            ["keyword", "remove", "pond"],
            ["metadata", "write", "--all"],
            ["delete", ids[1]], ["trash", "list"], ["trash", "restore", ids[1]],
            ["delete", ids[1], "--permanently"], ["trash", "empty"], ["prune", "--empty-trash"],
            ["check", "--repair"],
            ["prune", "--empty-trash"],
        ]
    }

    /// Runs a command, which must end within a minute.
    private func run(_ command: [String], _ outcome: HostileLayout.Outcome) throws {
        let result = try runProgram(
            "/usr/bin/env", ["timeout", "60", Workbench.command] + command,
            environment: bench.environment(), folder: bench.folder.path)
        #expect(Self.documented.contains(result.status), "\(command): \(result.status)")
        let hasNoLibrary =
            ["apply", "extensions", "doctor", "convert-live"].contains(command[0])
            && command.dropFirst().first != "usage"
            || (command[0] == "preset" && command[1] != "save")
            || command.starts(with: ["work", "run"]) || command.starts(with: ["work", "status"])
            || command.starts(with: ["studio", "login"])
        guard outcome == .refused, !hasNoLibrary else { return }
        #expect(
            result.status == (command[0] == "check" ? 2 : 65),
            "\(command): \(result.status), \(result.errors)")
    }

    /// Prepares the library and runs all commands on it.
    func run(_ layout: HostileLayout) throws {
        defer { try? removeDeepFolder(library) }
        let victim = try HostileLayout.makeVictim(beside: library)
        try layout.apply(to: .init(library: library, blob: blob()))
        let before = try FolderRecord(victim)
        for command in commands {
            try run(command, layout.outcome)
            let harm = try FolderRecord(victim).differences(from: before)
            #expect(harm == [], "\(command)")
        }
    }

    /// The path of the first photo's original, relative to `blobs`.
    private func blob() throws -> String {
        let original = try Data(
            contentsOf: URL(fileURLWithPath: bench.folder.file("photos/picture0.png")))
        let names = try FileManager.default.subpathsOfDirectory(atPath: library + "/blobs")
        return try #require(
            names.first {
                FileManager.default.contents(atPath: library + "/blobs/" + $0) == original
            })
    }
}

@Suite("hostile libraries")
struct HostileLibraryTests {
    /// One layout of each kind.
    private static let some = HostileLayout.all.filter {
        [
            "staging -> ../victim", "wake is a pipe", "a session's lock is a pipe",
            "a journal that names a super-journal", "blobs/ab -> ../../victim/ab",
        ].contains($0.name)
    }

    @Test("no command touches files outside the library folder or blocks", arguments: some)
    func victim(layout: HostileLayout) throws { try HostileBench().run(layout) }

    @Test("the hostile library tests cover every command")
    func commands() throws {
        struct Help: Decodable {
            let commandName: String
            let subcommands: [Help]?

            var lines: [[String]] {
                guard let subcommands else { return [[commandName]] }
                return subcommands.flatMap(\.lines).map { [commandName] + $0 }
            }
        }
        struct Dump: Decodable { let command: Help }
        #expect(Self.some.count == 5)
        let bench = try HostileBench()
        let program = bench.bench
        let dump = try program.run("--experimental-dump-help")
        let help = try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8))
        for line in help.command.lines.map({ $0.dropFirst() }) where line.first != "help" {
            #expect(bench.commands.contains { $0.starts(with: line) }, "\(line)")
        }
        // On a good library, commands succeed unless their argument does not exist.
        for command in bench.commands {
            let result = try program.run(command)
            let isWrong =
                [
                    "nothing", program.folder.file("nothing"),
                ].contains(command.last) || command.contains("release")
                || command.starts(with: ["backup", "prune", "nothing"])
                || command.suffix(1) == ["9"]  // No such edit.
                || command.prefix(2) == ["studio", "login"]  // No server.
            #expect((result.status == 0) != isWrong, "\(command): \(result.errors)")
        }
    }

    @Test("check reports the faults of a hostile folder and exits with 2")
    func check() throws {
        let bench = try HostileBench()
        let wake = bench.library + "/wake"
        #expect(unlink(wake) == 0 && symlink("../victim", wake) == 0)
        for arguments in [[], ["--repair"]] {
            let result = try bench.bench.run(["check", "--json"] + arguments)
            #expect(result.status == 2, "\(result.errors)")
            let finding = try #require(try result.objects.first)
            #expect(finding["kind"] as? String == "misplaced")
            #expect(finding["severity"] as? String == "damage")
            #expect(finding["path"] as? String == wake)
            #expect((finding["detail"] as? String)?.contains("a symbolic link") == true)
        }
    }
}

/// Runs every command on every layout.
@Suite(
    "hostile libraries, exhaustive",
    .torture)
struct HostileLibraryTorture {
    @Test("no command touches files outside the library folder", arguments: HostileLayout.all)
    func victim(layout: HostileLayout) throws { try HostileBench().run(layout) }
}
