// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of `extensions install` and `remove`: by identifier, regardless of the folder's owner, and
/// atomic.
@Suite("installing extensions")
struct InstallTests {
    private static let own = "data/edithost/extensions"

    /// The names in the user's extension folder.
    private static func installed(_ bench: Workbench) throws -> [String] {
        let folder = bench.folder.file(own)
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    /// Builds an adder in a folder of this name, outside the search path.
    @discardableResult
    private static func build(
        _ bench: Workbench, _ identifier: String = "org.example.adder", as name: String = "adder",
        version: String = "1.0"
    ) throws -> String {
        let made = bench.folder.file("made-\(UUID().uuidString)")
        try TestExtension.buildAdder(identifier, in: made)
        let target = bench.folder.file("source/\(name).editingextension")
        try FileManager.default.createDirectory(
            atPath: bench.folder.file("source"), withIntermediateDirectories: true)
        try? FileManager.default.removeItem(atPath: target)
        let last = identifier.split(separator: ".").last.map(String.init) ?? ""
        try FileManager.default.moveItem(
            atPath: "\(made)/\(last).editingextension", toPath: target)
        return target
    }

    // MARK: - Copied items

    @Test(
        "special files are rejected and nothing is installed",
        arguments: ["fifo", "link", "dangling", "socket"], ["", "deep/er/"])
    func items(kind: String, place: String) throws {
        try Self.expectRefusal(place: place) { path in
            switch kind {
            case "fifo": try #require(mkfifo(path, 0o644) == 0)
            case "link": try #require(symlink("/etc/hostname", path) == 0)
            case "dangling": try #require(symlink("../../x", path) == 0)
            default:
                let folder = (path as NSString).deletingLastPathComponent
                let made = try runProgram(
                    "/usr/bin/env",
                    [
                        "python3", "-c",
                        "import os,socket,sys; os.chdir(sys.argv[1]); "
                            + "socket.socket(socket.AF_UNIX).bind('item')", folder,
                    ])
                try #require(made.status == 0, "\(made.errors)")
            }
        }
    }

    @Test(
        "a device file is rejected at once and nothing is installed", .devices,
        arguments: ["", "deep/er/"])
    func device(place: String) throws {
        try Self.expectRefusal(place: place) { path in
            try #require(mknod(path, S_IFCHR | 0o666, 0x103) == 0)
        }
    }

    /// Expects that an extension with a special item is not installed.
    private static func expectRefusal(place: String, _ make: (_ path: String) throws -> Void) throws
    {
        let bench = try Workbench()
        let source = try Self.build(bench)
        try FileManager.default.createDirectory(
            atPath: "\(source)/\(place)", withIntermediateDirectories: true)
        try make("\(source)/\(place)item")
        let result = try bench.run("extensions", "install", source)
        #expect(result.status == 69, "\(result.errors)")
        #expect(result.errors.contains("item is neither a regular file nor a folder"))
        #expect(try Self.installed(bench) == [])
    }

    @Test("too many files, too many bytes and too deep folders are rejected")
    func bounds() throws {
        let bench = try Workbench()
        func refused(_ words: String, _ fill: (_ source: String) throws -> Void) throws {
            let source = try Self.build(bench)
            try fill(source)
            let result = try bench.run("extensions", "install", source)
            #expect(result.status == 69)
            #expect(result.errors.contains(words), "\(result.errors)")
            #expect(try Self.installed(bench) == [])
        }
        try refused("more than 4096 files") { source in
            for number in 0...4096 {
                let path = "\(source)/\(number)"
                try #require(FileManager.default.createFile(atPath: path, contents: nil))
            }
        }
        try refused("folders deep") { source in
            let path = source + String(repeating: "/f", count: 200)
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }
        try refused("exceed 2 GiB") { source in
            let path = "\(source)/large"
            try #require(FileManager.default.createFile(atPath: path, contents: nil))
            try #require(truncate(path, 3 << 30) == 0)
        }
    }

    @Test("sparse files stay sparse")
    func holes() throws {
        let bench = try Workbench()
        let source = try Self.build(bench)
        let path = "\(source)/table"
        let ends = (Data("start".utf8), Data("end".utf8))
        try ends.0.write(to: URL(fileURLWithPath: path))
        try #require(truncate(path, 200 << 20) == 0)
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: ends.1)
        try file.close()
        #expect(try bench.run("extensions", "install", source).status == 0)
        let copy = bench.folder.file("\(Self.own)/adder.editingextension/table")
        var status = stat()
        try #require(stat(copy, &status) == 0)
        #expect(status.st_size == 200 << 20 + ends.1.count)
        #expect(status.st_blocks * 512 < 8 << 20)
        let read = try #require(FileHandle(forReadingAtPath: copy))
        #expect(try read.read(upToCount: ends.0.count) == ends.0)
        try read.seek(toOffset: UInt64(200 << 20))
        #expect(try read.readToEnd() == ends.1)
    }

    @Test("folder and file names with control characters are rejected")
    func names() throws {
        let bench = try Workbench()
        for name in ["a\u{1b}[31m", "a\nb", "a\u{85}b"] {
            let source = try Self.build(bench, as: name)
            let result = try bench.run("extensions", "install", source)
            #expect(result.status == 69, "\(result.errors)")
            let inner = try Self.build(bench)
            try Data().write(to: URL(fileURLWithPath: "\(inner)/\(name)"))
            #expect(try bench.run("extensions", "install", inner).status == 69)
        }
        #expect(try Self.installed(bench) == [])
    }

    @Test("the installed copy is readable by the user and has no set-user-ID bit")
    func modes() throws {
        let bench = try Workbench()
        let source = try Self.build(bench)
        try FileManager.default.createDirectory(
            atPath: "\(source)/tables", withIntermediateDirectories: true)
        try Data("table".utf8).write(to: URL(fileURLWithPath: "\(source)/tables/one"))
        try #require(chmod("\(source)/tables/one", 0o444) == 0)
        try #require(chmod("\(source)/libadder.so", 0o6555) == 0)
        try #require(chmod("\(source)/manifest.json", 0o400) == 0)
        #expect(try bench.run("extensions", "install", source).status == 0)
        let target = bench.folder.file("\(Self.own)/adder.editingextension")
        for (file, mode) in [
            ("tables/one", 0o644), ("libadder.so", 0o755), ("manifest.json", 0o644),
        ] {
            var status = stat()
            try #require(stat("\(target)/\(file)", &status) == 0)
            #expect(Int(status.st_mode) & 0o7777 & ~0o022 == mode & ~0o022, "\(file)")
            #expect(
                FileManager.default.contents(atPath: "\(target)/\(file)")
                    == FileManager.default.contents(atPath: "\(source)/\(file)"))
        }
    }

    @Test(
        "an extension owned by another user installs if it is readable",
        .enabled(if: geteuid() == 0, "only root can give files to others"))
    func foreign() throws {
        let bench = try Workbench()
        let source = try Self.build(bench)
        let place = bench.folder.file("nobody")
        for path in [bench.folder.path, bench.folder.file("source"), bench.folder.file("tmp")] {
            try #require(chmod(path, path.hasSuffix("tmp") ? 0o777 : 0o755) == 0)
        }
        try #require(mkdir(place, 0o755) == 0 && chown(place, 65534, 65534) == 0)
        var environment = bench.environment()
        environment["XDG_DATA_HOME"] = place
        environment["XDG_CONFIG_HOME"] = place
        let result = try runProgram(
            "/usr/bin/env",
            [
                "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups",
                try Workbench.command, "extensions", "install", source,
            ], environment: environment)
        #expect(result.status == 0, "\(result.errors)")
        let manifest = "\(place)/edithost/extensions/adder.editingextension/manifest.json"
        var status = stat()
        try #require(stat(manifest, &status) == 0)
        #expect(status.st_uid == 65534)
        // The reverse case: another user's file, installed as root.
        try #require(chown("\(source)/libadder.so", 65534, 65534) == 0)
        #expect(try bench.run("extensions", "install", source).status == 0)
    }

    // MARK: - Selection

    @Test("an extension is replaced by its identifier regardless of its folder name")
    func identifier() throws {
        let bench = try Workbench()
        #expect(try bench.run("extensions", "install", try Self.build(bench)).status == 0)
        let renamed = try Self.build(bench, as: "Renamed")
        let refused = try bench.run("extensions", "install", renamed)
        #expect(refused.status == 64)
        #expect(
            refused.errors.contains(
                "org.example.adder is already installed in"), "\(refused.errors)")
        #expect(refused.errors.contains("--replace"))
        #expect(try Self.installed(bench) == ["adder.editingextension"])
        #expect(try bench.run("extensions", "install", renamed, "--replace").status == 0)
        #expect(try Self.installed(bench) == ["Renamed.editingextension"])
        // An extension with a different identifier does not replace the folder.
        let other = try Self.build(bench, "org.example.other", as: "Renamed")
        for options in [[], ["--replace"]] {
            let result = try bench.run(["extensions", "install", other] + options)
            #expect(result.status == 64)
            #expect(result.errors.contains("holds another extension, org.example.adder"))
        }
        let listed = try bench.json("extensions", "list").compactMap { $0["identifier"] as? String }
        #expect(listed == ["org.example.adder"])
    }

    @Test("replacing an extension reports what it means for the recipes in the library")
    func storedRecipes() throws {
        let (bench, ids) = try Workbench.withPhotos(2)
        let source = bench.folder.file("source")
        /// Installs a version that reads and writes a format.
        func install(
            format: String, upgrading old: String? = nil, _ options: String...
        ) throws -> ProcessResult {
            let upgrades = old.map { [["formatIdentifier": "org.example.\($0)"]] } ?? []
            try TestExtension.buildAdder(
                defines: ["FORMAT=\"org.example.\(format)\""], manifest: ["upgrades": upgrades],
                in: source)
            return try bench.run(
                ["extensions", "install", "\(source)/adder.editingextension"] + options)
        }
        #expect(try install(format: "one").status == 0)
        for id in ids { #expect(try bench.run("edit", id, "--with", "adder").status == 0) }

        let refused = try install(format: "two", "--replace")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("2 recipes of this extension"), "\(refused.errors)")
        #expect(refused.errors.contains("use --force"))
        #expect(try bench.run("edit", ids[0], "--with", "adder", "--reset").status == 0)

        let upgraded = try install(format: "two", upgrading: "one", "--replace")
        #expect(upgraded.status == 0)
        #expect(upgraded.errors.contains("2 photos have recipes in an older format"))
        #expect(upgraded.errors.contains("edithost extensions upgrade org.example.adder"))

        let forced = try install(format: "three", "--replace", "--force")
        #expect(forced.status == 0)
        #expect(forced.errors.contains("2 recipes cannot be changed"), "\(forced.errors)")
        // The installed version does not read the recipes either.
        #expect(try install(format: "two", "--replace").status == 0)
        #expect(try install(format: "one", "--replace").errors.isEmpty)
        // Recipes in the current format do not wait for an upgrade of their data.
        #expect(try install(format: "one", upgrading: "one", "--replace").errors.isEmpty)
    }

    @Test("at a terminal the user is asked before recipes become unreadable")
    func question() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let source = bench.folder.file("source")
        func build(_ format: String) throws -> String {
            try TestExtension.buildAdder(
                defines: ["FORMAT=\"org.example.\(format)\""], in: source)
            return "\(source)/adder.editingextension"
        }
        #expect(try bench.run("extensions", "install", build("one")).status == 0)
        #expect(try bench.run("edit", ids[0], "--with", "adder").status == 0)
        let path = try build("two")
        for (answer, status) in [("n", 130), ("y", 0)] as [(String, Int32)] {
            let command = try RunningCommand(
                bench, atTerminal: true, ["extensions", "install", path, "--replace"])
            try command.waitFor("Replace it anyway? [y/N] ")
            command.type(answer)
            #expect(try command.status() == status)
            let installed = "data/edithost/extensions/adder.editingextension/manifest.json"
            let manifest = try String(contentsOfFile: bench.folder.file(installed), encoding: .utf8)
            #expect(manifest.contains("org.example.two") == (answer == "y"))
        }
    }

    @Test("a folder that is not an extension is replaced only with --replace")
    func broken() throws {
        let bench = try Workbench()
        let target = bench.folder.file("\(Self.own)/adder.editingextension")
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try #require(mkfifo("\(target)/manifest.json", 0o644) == 0)
        let source = try Self.build(bench)
        #expect(try bench.run("extensions", "install", source).status == 64)
        #expect(try bench.run("extensions", "install", source, "--replace").status == 0)
        #expect(try bench.run("extensions", "show", "adder").status == 0)
        #expect(try Self.installed(bench) == ["adder.editingextension"])
    }

    @Test("an extension that would be shadowed is not installed; the error names the other")
    func shadowed() throws {
        let bench = try Workbench()
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        let result = try bench.run("extensions", "install", try Self.build(bench, as: "Mine"))
        #expect(result.status == 69)
        let winner = bench.folder.file("extensions/adder.editingextension")
        #expect(result.errors.contains("the one in \(winner) comes first"), "\(result.errors)")
        #expect(try Self.installed(bench) == [])
        // If the user's own folder comes first, the extension is installed.
        let own = bench.folder.file(Self.own)
        let path = "\(own)/:\(bench.folder.file("extensions"))"
        let first = try bench.run(
            "extensions", "install", try Self.build(bench, as: "Mine"),
            environment: ["EDITHOST_EXTENSION_PATH": path])
        #expect(first.status == 0, "\(first.errors)")
    }

    @Test("leftovers of a killed installation are removed by the next one")
    func leftovers() throws {
        let bench = try Workbench()
        let left = bench.folder.file("\(Self.own)/.installing-abcdef")
        try FileManager.default.createDirectory(
            atPath: "\(left)/adder.editingextension", withIntermediateDirectories: true)
        let young = bench.folder.file("\(Self.own)/.installing-ghijkl")
        try FileManager.default.createDirectory(
            atPath: young, withIntermediateDirectories: true)
        var times = [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]
        try #require(utimes(left, &times) == 0)
        #expect(try bench.run("extensions", "install", try Self.build(bench)).status == 0)
        #expect(try Self.installed(bench) == [".installing-ghijkl", "adder.editingextension"])
        #expect(try bench.json("extensions", "list").count == 1)
    }

    @Test("an extension is installed from the folder of its sources, and reported as untrusted")
    func sourceFolder() throws {
        let bench = try Workbench()
        let source = (try Self.build(bench) as NSString).deletingLastPathComponent
        // Hand-written sources have the manifest beside the folder that is built.
        try FileManager.default.copyItem(
            atPath: source + "/adder.editingextension/manifest.json",
            toPath: source + "/manifest.json")
        let result = try bench.run("extensions", "install", source)
        #expect(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("installed org.example.adder in "))
        #expect(
            lines.last?.hasSuffix("run edithost extensions trust org.example.adder") == true,
            "\(result.output)")
        #expect(try Self.installed(bench) == ["adder.editingextension"])
        #expect(try bench.json("extensions", "install", "--replace", source).count == 1)
        try Self.build(bench, "org.example.other", as: "other")
        let several = try bench.run("extensions", "install", source)
        #expect(several.status == 64)
        #expect(several.errors.contains("adder.editingextension, other.editingextension"))
        let none = try bench.run("extensions", "install", bench.folder.file("tmp"))
        #expect(none.status == 69 && none.errors.contains("contains no extension"))
    }

    @Test("a failed installation keeps the installed extension")
    func unharmed() throws {
        let bench = try Workbench()
        #expect(try bench.run("extensions", "install", try Self.build(bench)).status == 0)
        func path() throws -> String? {
            try bench.json("extensions", "show", "adder").first?["path"] as? String
        }
        let before = try path()
        let bad = try Self.build(bench)
        try Data("garbage".utf8).write(to: URL(fileURLWithPath: "\(bad)/libadder.so"))
        #expect(try bench.run("extensions", "install", bad, "--replace").status == 69)
        #expect(try Self.installed(bench) == ["adder.editingextension"])
        #expect(try path() == before)
    }

    @Test("an extension is removed by any of its names unless the name is ambiguous")
    func removing() throws {
        let bench = try Workbench()
        for (identifier, name) in [
            ("org.example.adder", "one"), ("com.example.adder", "two"),
        ] {
            let source = try Self.build(bench, identifier, as: name)
            let result = try bench.run("extensions", "install", source)
            #expect(result.status == 0, "\(result.errors)")
        }
        let ambiguous = try bench.run("extensions", "remove", "adder")
        #expect(ambiguous.status == 64)
        #expect(ambiguous.errors.contains("com.example.adder, org.example.adder"))
        // The folder name of a usable extension is not accepted as its name.
        #expect(try bench.run("extensions", "remove", "one").status == 69)
        #expect(try bench.run("extensions", "remove", "COM.example.adder").status == 0)
        #expect(try Self.installed(bench) == ["one.editingextension"])
        #expect(try bench.run("extensions", "remove", "adder").status == 0)
        #expect(try Self.installed(bench) == [])
    }
}
