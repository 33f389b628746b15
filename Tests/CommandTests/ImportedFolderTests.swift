// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import TestSupport
import Testing

/// The folders of imported files.
@Suite("folders of imported files")
struct ImportedFolderTests {
    private let bench: Workbench
    private var tree: String { bench.tree }

    init() throws { bench = try Workbench() }

    /// Writes one picture to each path.
    private func fill() throws {
        let paths = ["root.jpg", "2024/Italy/a.jpg", "2024/Italy/Rome/b.jpg", "2023/c.jpg"]
        for (place, path) in paths.enumerated() { try bench.write(path, width: 20 + place) }
    }

    /// The folders of the listed photos by file name, `-` for none.
    private func folders(_ arguments: String...) throws -> [String: String] {
        try Dictionary(
            uniqueKeysWithValues: bench.json(["list"] + arguments).map { row in
                (try #require(row["filename"] as? String), row["folder"] as? String ?? "-")
            })
    }

    private func statuses(_ arguments: String...) throws -> [String] {
        try bench.json(["import"] + arguments).compactMap { $0["status"] as? String }
    }

    private static let all = [
        "root.jpg": "-", "a.jpg": "2024/Italy", "b.jpg": "2024/Italy/Rome", "c.jpg": "2023",
    ]

    @Test(
        "the folder is relative to the imported folder",
        arguments: ["tree", "tree/", "tree//", "./tree", "tree/2024/.."])
    func relative(path: String) throws {
        try fill()
        _ = try bench.json("import", path)
        #expect(try folders() == Self.all)
        let id = try #require(try bench.json("list", "--folder", "2023")[0]["id"] as? String)
        #expect(try bench.json("show", id)[0]["folder"] as? String == "2023")
        #expect(try bench.json("dump", id)[0]["folder"] as? String == "2023")
        #expect(try bench.run("show", id).output.contains("folder    2023\n"))
    }

    @Test("a photo keeps its first folder, and gets one if it has none")
    func duplicates() throws {
        try bench.write("2023/c.jpg", width: 20)
        let library = bench.folder.file("Photos.editlibrary")
        #expect(try statuses(tree + "/2023/c.jpg") == ["imported"])
        #expect(try folders() == ["c.jpg": "-"])
        #expect(try statuses(tree, "--dry-run") == ["updated"])
        #expect(try statuses(tree) == ["updated"])
        #expect(try folders() == ["c.jpg": "2023"])
        let token = try PhotoLibrary.open(at: library).currentChangeToken
        try bench.write("archive/d.jpg", width: 20)
        for arguments in [[tree], [tree + "/2023"], [tree, "--dry-run"]] {
            let rows = try bench.json(["import"] + arguments)
            #expect(Set(rows.compactMap { $0["status"] as? String }) == ["duplicate"])
        }
        #expect(try folders() == ["c.jpg": "2023"])
        #expect(try PhotoLibrary.open(at: library).currentChangeToken == token)
    }

    @Test("a copy in a folder gives its folder to a photo directly in the imported folder")
    func copies() throws {
        try bench.write("a.jpg", width: 20)
        try bench.write("b/copy.jpg", width: 20)
        try bench.write("c/copy.jpg", width: 20)
        let expected = ["imported", "updated", "duplicate"]
        #expect(try statuses(tree, "--dry-run") == expected)
        #expect(try statuses(tree) == expected)
        #expect(try folders() == ["a.jpg": "b"])
    }

    @Test("a copy of a Live Photo's video gives no folder")
    func motions() throws {
        try bench.write("1/l.jpg", width: 20)
        try TestLivePhoto.makeVideo(tree + "/1/l.mov", nil)
        try FileManager.default.createDirectory(
            atPath: tree + "/2", withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: tree + "/1/l.mov", toPath: tree + "/2/zz.mov")
        for expected in [
            ["imported", "imported", "duplicate"], ["duplicate", "duplicate", "duplicate"],
        ] {
            #expect(try statuses(tree, "--dry-run") == expected)
            #expect(try statuses(tree) == expected)
        }
        #expect(try folders() == ["l.jpg": "1"])
    }

    @Test("a photo in the trash gets no folder")
    func trashed() throws {
        try bench.write("2023/c.jpg", width: 20)
        _ = try statuses(tree + "/2023/c.jpg")
        _ = try bench.json("delete", "--all", "--yes")
        #expect(try statuses(tree, "--dry-run") == ["duplicate"])
        #expect(try statuses(tree) == ["duplicate"])
        _ = try bench.json("trash", "restore", "--all")
        #expect(try folders() == ["c.jpg": "-"])
    }

    @Test(
        "--folder finds folders by name or path, and all that is below them",
        arguments: [
            ("2024", ["a.jpg", "b.jpg"]), ("2024/", ["a.jpg", "b.jpg"]),
            ("/2024", ["a.jpg", "b.jpg"]), ("Italy", ["a.jpg", "b.jpg"]), ("/Italy", []),
            ("2024/*", ["a.jpg", "b.jpg"]), ("*/Rome", []), ("*/*/Rome", ["b.jpg"]),
            ("Rome", ["b.jpg"]), ("202?", ["a.jpg", "b.jpg", "c.jpg"]), ("italy", []),
            ("*", ["a.jpg", "b.jpg", "c.jpg"]), ("Ital", []), ("[", []),
        ])
    func filter(pattern: String, names: [String]) throws {
        try fill()
        _ = try bench.json("import", tree)
        #expect(try folders("--folder", pattern).keys.sorted() == names)
    }

    @Test("names of a Mac match typed ones, and are exported as they are", arguments: [0, 1])
    func composition(typed: Int) throws {
        let forms = ["Caf\u{E9}", "Cafe\u{301}"]
        let (found, pattern) = (forms[1 - typed], forms[typed])
        try bench.write("2024/\(found)/a.jpg", width: 20)
        try bench.write("2024/Rejected \(found)/b.jpg", width: 21)
        _ = try bench.json("import", tree, "--exclude", "Rejected \(pattern)/")
        for glob in [pattern, "2024/\(pattern)", "2024/C*\(pattern.suffix(1))"] {
            #expect(try folders("--folder", glob).count == 1, "\(glob)")
        }
        #expect(
            try exported("{folder}/{name}").map { Array($0.utf8) }
                == [Array("2024/\(found)/a.jpg".utf8)])
    }

    @Test("other commands have the filter, and patterns that match nothing are rejected")
    func otherCommands() throws {
        try fill()
        _ = try bench.json("import", tree)
        #expect(try bench.json("favorite", "--folder", "Italy").count == 2)
        for pattern in ["", " ", "./2024", "2024//Italy"] {
            #expect(try bench.run("list", "--folder", pattern).status == 64, "\(pattern)")
        }
    }

    /// The exported files, relative to the folder.
    private func exported(_ template: String) throws -> [String] {
        let out = bench.folder.file("out-\(UUID())")
        return try bench.json("export", "--all", "--to", out, "--name", template)
            .compactMap { $0["path"] as? String }.map { String($0.dropFirst(out.count + 1)) }
            .sorted()
    }

    @Test("{folder} restores the folders; without a folder, the component is left out")
    func export() throws {
        try fill()
        _ = try bench.json("import", tree)
        #expect(
            try exported("{folder}/{name}")
                == ["2023/c.jpg", "2024/Italy/Rome/b.jpg", "2024/Italy/a.jpg", "root.jpg"])
        #expect(
            try exported("all/{folder}/x-{name}{sequence}") == [
                "all/2023/x-c.jpg", "all/2024/Italy/Rome/x-b.jpg", "all/2024/Italy/x-a.jpg",
                "all/x-root.jpg",
            ])
        for template in [
            "{folder}", "{name}{folder}/{id}", "{folder}-{name}", "{folder}/{folder}/{id}",
        ] {
            let result = try bench.run("export", "--all", "--to", "out", "--name", template)
            #expect(result.status == 64 && result.errors.contains("{folder}"), "\(template)")
        }
        #expect(try exported("{{folder}}/{id}").allSatisfy { $0.hasPrefix("{folder}/") })
    }

    @Test(
        "the folders of a hostile library do not lead out of the export folder",
        arguments: ["../../outside", "/outside", "a/../../outside", "..", "."])
    func hostile(folder: String) throws {
        let id = try bench.importPicture()
        try bench.execute("UPDATE asset SET original_folder = ?", [folder])
        let result = try bench.run(
            "export", id, "--to", bench.folder.file("out"), "--name", "{folder}/{name}")
        #expect(result.status == 65, "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("outside")))
    }

    @Test("unsafe characters in folders are replaced, and deep folders are shortened")
    func unsafe() throws {
        let id = try bench.importPicture(name: "a.png")
        let odd = ".hidden/a\u{1B}[31m/\u{202E}b/...." + String(repeating: "/x", count: 80)
        try bench.execute("UPDATE asset SET original_folder = ?", [odd])
        let path = try #require(try exported("{folder}/{name}").first)
        let start = "_hidden/a_[31m/_b/_.../"
        #expect(path == start + String(repeating: "x/", count: 44) + "a.png")
        let shown = try bench.run("show", id)
        #expect(shown.status == 0 && !shown.output.contains("\u{1B}"))
        // The record of the export is valid: nothing is written again.
        let out = bench.folder.file("again")
        for expected in ["new", "unchanged"] {
            let rows = try bench.json(
                "export", id, "--to", out, "--name", "{folder}/{name}", "--explain")
            #expect(rows.first?["reason"] as? String == expected)
        }
    }

    @Test("a folder whose name is not UTF-8 is kept byte for byte")
    func bytes() throws {
        let name: [UInt8] = [0x63, 0xE9]
        try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true)
        let folder = Array((tree + "/").utf8) + name
        try #require(mkdir(folder.map { CChar(bitPattern: $0) } + [0], 0o755) == 0)
        try bench.write("p.jpg", width: 20)
        let target = folder + Array("/p.jpg".utf8)
        try #require(rename(tree + "/p.jpg", target.map { CChar(bitPattern: $0) } + [0]) == 0)
        _ = try bench.json("import", tree)
        let row = try bench.json("list")[0]
        #expect(row["folder"] as? String == "c\\xE9")
        #expect(row["folderBytes"] as? String == Data(name).base64EncodedString())
        #expect(try folders("--folder", "c?").count == 1)
        let out = bench.folder.file("out")
        _ = try bench.json("export", "--all", "--to", out, "--name", "{folder}/{name}")
        let copy = Array((out + "/").utf8) + name + Array("/p.jpg".utf8)
        #expect(access(copy.map { CChar(bitPattern: $0) } + [0], F_OK) == 0)
    }
}
