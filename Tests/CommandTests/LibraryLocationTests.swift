// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// The locations of the library and of extensions.
@Suite("places")
struct LibraryLocationTests {
    @Test("-library precedes EDITHOST_LIBRARY, which precedes XDG_DATA_HOME and HOME")
    func order() throws {
        let bench = try Workbench()
        let picture = try bench.picture()
        let files = FileManager.default
        func makes(_ place: String, _ arguments: [String], _ changes: [String: String?]) throws {
            let result = try runProgram(
                Workbench.command, ["import", picture] + arguments,
                environment: bench.environment(changes))
            #expect(result.status == 0, "\(result.errors)")
            #expect(files.fileExists(atPath: bench.folder.file("\(place)/library.sqlite")))
        }
        try makes("named.editlibrary", ["--library", bench.folder.file("named.editlibrary")], [:])
        try makes("Photos.editlibrary", [], [:])
        try makes("data/edithost/Photos.editlibrary", [], ["EDITHOST_LIBRARY": nil])
        try makes(
            ".local/share/edithost/Photos.editlibrary", [],
            ["EDITHOST_LIBRARY": nil, "XDG_DATA_HOME": nil])
    }

    @Test("only import turns an empty folder into a library")
    func emptyFolder() throws {
        let bench = try Workbench()
        let place = bench.folder.file("empty")
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true)
        #expect(try bench.run("list", "--library", place).status == 65)
        #expect(try bench.run("import", try bench.picture(), "--library", place).status == 0)
        #expect(try bench.run("list", "--library", place).status == 0)
    }

    @Test("a read-only library can be listed and exported; changes fail with 73")
    func readOnly() throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        let id = ids[0]
        _ = try bench.json("edit", id, "--with", "sepia")
        let library = bench.folder.file("Photos.editlibrary")
        try Self.setMode(of: library, folders: 0o555, files: 0o444)
        defer { try? Self.setMode(of: library, folders: 0o755, files: 0o644) }
        try Self.setMode(of: bench.folder.file("tmp"), folders: 0o777, files: 0o644)
        try Self.setMode(of: bench.folder.path, only: 0o777)
        func run(_ arguments: String...) throws -> ProcessResult {
            try bench.runUnprivileged(arguments)
        }
        let listed = try run("list", "--json")
        #expect(listed.status == 0, "\(listed.errors)")
        #expect(try listed.objects.count == 1)
        #expect(try run("show", id).status == 0)
        #expect(try run("history", id).status == 0)
        #expect(try run("check").status != 73)
        #expect(try run("rerender", id, "--dry-run").status == 0)
        let exported = try run("export", id, "--to", bench.folder.file("exported"))
        #expect(exported.status == 0, "\(exported.errors)")
        for arguments in [
            ["edit", id, "--with", "sepia", "--set", "intensity=0.1"], ["undo", id],
            ["revert", id], ["import", try bench.picture(seed: 9)], ["rerender", id], ["prune"],
        ] {
            let result = try bench.runUnprivileged(arguments)
            #expect(result.status == 73, "\(arguments): \(result.errors)")
            #expect(result.errors.contains(library), "\(result.errors)")
        }
        try Self.setMode(of: library, folders: 0o755, files: 0o644)
        #expect(try bench.position(id) == (1, 1))
    }

    @Test("an unreadable folder is reported, and the other files are imported")
    func unreadableFolder() throws {
        let bench = try Workbench()
        _ = try bench.picture(name: "a.png")
        let secret = bench.folder.file("photos/secret")
        try FileManager.default.createDirectory(
            atPath: secret, withIntermediateDirectories: true)
        try Self.setMode(of: secret, only: 0)
        defer { try? Self.setMode(of: secret, only: 0o755) }
        for folder in [bench.folder.path, bench.folder.file("tmp")] {
            try Self.setMode(of: folder, only: 0o777)
        }
        let result = try bench.runUnprivileged(
            ["import", bench.folder.file("photos"), "--json"])
        #expect(result.status == 1, "\(result.errors)")
        #expect(try result.objects.map { $0["status"] as? String } == ["imported", "rejected"])
        #expect(result.output.contains(secret))
    }

    @Test("if a picture cannot be written, nothing changes and the status is 73")
    func noSpace() throws {
        let (bench, _) = try Workbench.withPhotos(1)
        let large = try bench.folder.write(
            TestPicture.gradient(width: 800, height: 600).encoded(
                options: ["compression": .integer(0)]), to: "photos/large.png")
        let result = try runProgram(
            "/bin/bash",
            ["-c", "ulimit -f 1000; exec \"$0\" import \"$1\"", try Workbench.command, large],
            environment: bench.environment())
        #expect(result.status == 73, "\(result.errors)")
        #expect(result.errors.contains("check space"), "\(result.errors)")
        #expect(try bench.json("list").count == 1)
        #expect(try bench.run("check").status == 0)
        #expect(try bench.run("import", large).status == 0)
    }

    @Test("prune refuses a library in use with status 75")
    func busy() throws {
        let (bench, _) = try Workbench.withPhotos(1)
        let lock = open(bench.folder.file("Photos.editlibrary/lock"), O_RDONLY | O_CLOEXEC)
        defer { close(lock) }
        try #require(flock(lock, LOCK_SH | LOCK_NB) == 0)
        let result = try bench.run("prune")
        #expect(result.status == 75, "\(result.errors)")
        #expect(result.errors.contains("try again"), "\(result.errors)")
        #expect(try bench.run("list").status == 0)
    }

    @Test("an extension is installed, replaced and removed in the user's folder")
    func installing() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let path = bench.folder.file("adder.editingextension")
        try TestExtension.buildAdder(in: bench.folder.path)
        let target = bench.folder.file("data/edithost/extensions/adder.editingextension")
        let installed = try bench.json("extensions", "install", path)
        #expect(installed.first?["path"] as? String == target)
        #expect(installed.first?["identifier"] as? String == "org.example.adder")
        #expect(try bench.run("edit", ids[0], "--with", "adder").status == 0)
        let twice = try bench.run("extensions", "install", path)
        #expect(twice.status == 64)
        #expect(twice.errors.contains("--replace"))
        #expect(try bench.run("extensions", "install", path, "--replace").status == 0)
        let removed = try bench.json("extensions", "remove", "ADDER")
        #expect(removed.first?["path"] as? String == target)
        #expect(!FileManager.default.fileExists(atPath: target))
        #expect(try bench.run("extensions", "remove", "adder").status == 69)
        let missing = try bench.run("extensions", "install", bench.folder.file("no.such"))
        #expect(missing.status == 66)
        try TestExtension.buildAdder("org.example.old", defines: ["ABI=0"], in: bench.folder.path)
        let refused = try bench.run(
            "extensions", "install", bench.folder.file("old.editingextension"))
        #expect(refused.status == 69, "\(refused.errors)")
    }

    // MARK: - Permissions

    private static func setMode(of folder: String, folders: Int, files: Int) throws {
        let manager = FileManager.default
        try setMode(of: folder, only: 0o755)
        for name in try manager.subpathsOfDirectory(atPath: folder) {
            let path = "\(folder)/\(name)"
            var isFolder: ObjCBool = false
            _ = manager.fileExists(atPath: path, isDirectory: &isFolder)
            try setMode(of: path, only: isFolder.boolValue ? folders : files)
        }
        try setMode(of: folder, only: folders)
    }

    private static func setMode(of path: String, only mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}
