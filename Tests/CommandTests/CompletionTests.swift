// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import TestSupport
import Testing

/// The completions that shells offer, requested in the way the completion scripts do.
@Suite("completions")
struct CompletionTests {
    /// Requests completions for the last word of a line. `argument` is an option, or `positional@`
    /// and an index.
    private func complete(
        _ command: [String], _ argument: String, _ line: [String], in bench: Workbench,
        environment: [String: String?] = [:]
    ) throws -> [String] {
        let words = ["edithost"] + command + line
        let index = words.count - 1
        let result = try runProgram(
            Workbench.command,
            ["---completion"] + command + ["--", argument, "\(index)", "\(words[index].count)"]
                + words,
            environment: bench.environment(environment))
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors == "")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test("extensions complete by the last part of their identifier, then by the whole")
    func extensions() throws {
        let bench = try Workbench(extensions: ["SepiaFilter", "CropRotate"])
        func offered(_ word: String) throws -> [String] {
            try complete(["edit"], "--with", ["3f2a", "--with", word], in: bench)
        }
        #expect(try offered("") == ["croprotate", "sepia"])
        #expect(try offered("s") == ["sepia"])
        #expect(try offered("org.") == ["org.edithost.croprotate", "org.edithost.sepia"])
        #expect(try offered("x") == [])
        #expect(
            try complete(["extensions", "show"], "positional@0", ["cr"], in: bench)
                == ["croprotate"])
    }

    @Test("parameters of the given extension complete, with their values")
    func parameters() throws {
        let bench = try Workbench(extensions: ["SepiaFilter", "CropRotate"])
        func offered(_ name: String, _ word: String) throws -> [String] {
            try complete(["edit"], "--set", ["3f2a", "--with", name, "--set", word], in: bench)
        }
        #expect(try offered("sepia", "") == ["intensity=1"])
        #expect(try offered("croprotate", "turns=") == ["turns=0"])
        #expect(try offered("croprotate", "").count >= 3)
        #expect(try offered("nothing", "") == [])
        #expect(try complete(["edit"], "--set", ["3f2a", "--set", ""], in: bench) == [])
    }

    @Test("photos complete by identifier: the newest first, or those with the typed prefix")
    func assets() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        let short = ids.map { String($0.prefix(8)) }.sorted()
        #expect(try complete(["undo"], "positional@0", [""], in: bench) == short)
        for id in ids {
            let six = String(id.prefix(6))
            #expect(
                try complete(["export"], "positional@0", [six], in: bench)
                    == short.filter { $0.hasPrefix(six) })
            let twelve = String(id.prefix(12))
            #expect(try complete(["undo"], "positional@0", [twelve], in: bench) == [id])
        }
        #expect(try complete(["undo"], "positional@0", ["x'y"], in: bench) == [])
        #expect(
            try complete(["album", "move"], "--before", ["A", "--before", ""], in: bench) == short)
    }

    @Test("albums and folders complete by title, except titles unsafe for a terminal")
    func collections() throws {
        let (bench, _) = try Workbench.withPhotos(1)
        for title in ["Summer", "North Sea", "a\u{1b}[31m"] {
            #expect(try bench.run("album", "create", title).status == 0)
        }
        #expect(try bench.run("album", "folder", "create", "2024").status == 0)
        let albums = try complete(["list"], "--album", ["--album", ""], in: bench)
        #expect(Set(["Summer", "North Sea", "favorites"]).isSubset(of: albums))
        #expect(!albums.contains { $0.hasPrefix("a\u{1b}") } && !albums.contains("2024"))
        #expect(
            try complete(["album", "show"], "positional@0", ["Nor"], in: bench) == ["North Sea"])
        #expect(
            try complete(["album", "create"], "--folder", ["A", "--folder", ""], in: bench)
                == ["2024"])
        #expect(
            try complete(["album", "folder", "put"], "positional@0", ["2"], in: bench) == ["2024"])
    }

    @Test("at most one hundred words are offered")
    func limit() throws {
        let (bench, _) = try Workbench.withPhotos(1)
        let library = try PhotoLibrary.open(at: bench.folder.file("Photos.editlibrary"))
        try library.performChanges {
            for number in 0..<150 {
                _ = try AssetCollectionChangeRequest(creatingWithTitle: "x\(number)")
            }
        }
        try library.close()
        #expect(try complete(["list"], "--album", ["--album", "x"], in: bench).count == 100)
    }

    @Test("completion uses the --library typed on the line")
    func libraryOption() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let away = bench.folder.file("a b.editlibrary")
        try FileManager.default.moveItem(
            atPath: bench.folder.file("Photos.editlibrary"), toPath: away)
        let short = String(ids[0].prefix(8))
        let typed = away.replacing(" ", with: "\\ ")
        for words in [["--library", typed], ["--library=\(typed)"], ["--library", "=", typed]] {
            #expect(try complete(["undo"], "positional@0", words + [""], in: bench) == [short])
        }
        #expect(try complete(["undo"], "positional@0", [""], in: bench) == [])
    }

    @Test("without a valid library nothing is offered, created or printed")
    func nothing() throws {
        let bench = try Workbench()
        func offered() throws -> [String] {
            try complete(["undo"], "positional@0", [""], in: bench)
                + complete(["list"], "--edited-by", ["--edited-by", ""], in: bench)
                + complete(["album", "folder", "delete"], "positional@0", [""], in: bench)
        }
        let before = try FolderRecord(bench.folder.path)
        #expect(try offered() == [])
        #expect(try FolderRecord(bench.folder.path) == before)
        let library = bench.folder.file("Photos.editlibrary")
        try #require(mkfifo(library, 0o644) == 0)
        #expect(try offered() == [])
        try FileManager.default.removeItem(atPath: library)
        try FileManager.default.createDirectory(
            atPath: library, withIntermediateDirectories: false)
        try bench.folder.write(Data("garbage".utf8), to: "Photos.editlibrary/library.sqlite")
        let broken = try FolderRecord(bench.folder.path)
        #expect(try offered() == [])
        #expect(try FolderRecord(bench.folder.path) == broken)
    }

    @Test("completion does not modify the library")
    func untouched() throws {
        let (bench, _) = try Workbench.withPhotos(2)
        let before = try FolderRecord(bench.folder.path)
        #expect(try complete(["undo"], "positional@0", [""], in: bench).count == 2)
        // SQLite's readers write their read marks to this file.
        let shared = "Photos.editlibrary/library.sqlite-shm"
        let changed = try FolderRecord(bench.folder.path).differences(from: before)
        #expect(changed.filter { $0 != shared } == [])
    }

    @Test("shell scripts request these words and contain sort keys and subtypes")
    func scripts() throws {
        let script = try Workbench().run("--generate-completion-script", "bash").output
        for command in [
            "edit -- --with", "edit -- --set", "list -- --album", "undo -- positional@0",
        ] {
            #expect(script.contains("---completion \(command)"), "\(command)")
        }
        #expect(script.contains("'date:desc'") && script.contains("'panorama'"))
    }
}
