// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import TestSupport
import Testing

/// Albums that an import makes from folders.
@Suite("albums from folders")
struct ImportAlbumsTests {
    private let bench: Workbench
    private var tree: String { bench.tree }

    init() throws { bench = try Workbench() }

    private func fill() throws {
        let paths = [
            "root.jpg", "2024/Italy/a.jpg", "2024/Italy/b.jpg", "2024/c.jpg", "2023/d.jpg",
            "Old/1999/e.jpg",
        ]
        for (place, path) in paths.enumerated() { try bench.write(path, width: 20 + place) }
    }

    private func importTree(_ options: String...) throws -> ProcessResult {
        let result = try bench.run(["import", tree, "--albums", "folders"] + options)
        try #require(result.status == 0, "\(result.errors)")
        return result
    }

    private var albums: String {
        get throws { try bench.run("album", "list", "--tree").output }
    }

    private var token: ChangeToken {
        get throws {
            try PhotoLibrary.open(at: bench.folder.file("Photos.editlibrary")).currentChangeToken
        }
    }

    /// Folders are sorted by name. `2024` has pictures and a folder.
    private static let expected = """
        2023  (1)
        2024/
            2024  (1)
            Italy  (2)
        Old/
            1999  (1)

        """

    @Test("folders become albums and folders, and a second import changes nothing")
    func made() throws {
        try fill()
        let result = try importTree()
        #expect(result.errors.hasSuffix("edithost: 4 albums made\n"), "\(result.errors)")
        #expect(try albums == Self.expected)
        let names = try bench.json("list", "--album", "Italy").map { $0["filename"] as? String }
        #expect(names == ["a.jpg", "b.jpg"])
        #expect(
            try bench.json("list", "--no-album").map { $0["filename"] as? String } == ["root.jpg"])
        let before = try token
        #expect(try !importTree().errors.contains("made"))
        #expect(try token == before)
    }

    @Test("photos that are in the library already are added, without duplicates")
    func present() throws {
        try fill()
        _ = try bench.json("import", tree)
        #expect(try albums == "no albums\n")
        try bench.write("2024/Italy/copy of a.jpg", width: 21)
        try bench.write("Copies/a.jpg", width: 21)
        _ = try importTree()
        #expect(try albums == Self.expected.replacing("Old/", with: "Copies  (1)\nOld/"))
    }

    @Test("existing albums of the same name at the same place are used")
    func existing() throws {
        // Albums need a library.
        _ = try bench.importPicture()
        _ = try bench.json("album", "folder", "create", "2024")
        let album = try bench.json("album", "create", "Italy", "--folder", "2024")[0]
        _ = try bench.json("album", "create", "2024")
        _ = try bench.json("album", "create", "Italy")
        try fill()
        let result = try importTree()
        #expect(result.errors.hasSuffix("edithost: 2 albums made\n"), "\(result.errors)")
        #expect(
            try albums == "2024/\n    Italy  (2)\n2024  (1)\nItaly  (0)\n2023  (1)\n"
                + "Old/\n    1999  (1)\n")
        let id = try #require(album["id"] as? String)
        #expect(try bench.json("list", "--album", id).count == 2)
    }

    @Test("an album stays in its place if its folder gets folders later")
    func growing() throws {
        try bench.write("2024/a.jpg", width: 20)
        _ = try importTree()
        #expect(try albums == "2024  (1)\n")
        try bench.write("2024/Italy/b.jpg", width: 21)
        try bench.write("2024/c.jpg", width: 22)
        _ = try importTree()
        #expect(try albums == "2024  (2)\n2024/\n    Italy  (1)\n")
        // The other way round, the album in the folder stays in use.
        try FileManager.default.removeItem(atPath: tree)
        try bench.write("2023/x/d.jpg", width: 23)
        try bench.write("2023/e.jpg", width: 24)
        _ = try importTree()
        try FileManager.default.removeItem(atPath: tree + "/2023/x")
        try bench.write("2023/f.jpg", width: 25)
        _ = try importTree()
        #expect(
            try albums == "2024  (2)\n2024/\n    Italy  (1)\n2023/\n    2023  (2)\n    x  (1)\n")
    }

    @Test("composed and decomposed names are one album, and match existing ones")
    func composition() throws {
        // Albums need a library.
        _ = try bench.importPicture()
        _ = try bench.json("album", "create", "Caf\u{E9}")
        try bench.write("Cafe\u{301}/a.jpg", width: 20)
        try bench.write("\u{212B}/b.jpg", width: 21)
        try bench.write("\u{C5}/c.jpg", width: 22)
        let result = try importTree()
        #expect(result.errors.hasSuffix("edithost: 1 album made\n"), "\(result.errors)")
        let lines = try albums.split(separator: "\n").map(String.init)
        #expect(lines == ["Caf\u{E9}  (1)", "\u{C5}  (2)"])
        #expect(Array(lines[0].utf8) == Array("Caf\u{E9}  (1)".utf8))
    }

    @Test("photos in the trash and files that fail are in no album")
    func leftOut() throws {
        try bench.write("2024/a.jpg", width: 20)
        try bench.write("2024/b.jpg", width: 21)
        let first = try bench.json("import", tree)
        _ = try bench.json("delete", try #require(first[0]["id"] as? String), "--yes")
        try bench.folder.write(Data("no picture".utf8), to: "tree/2023/c.jpg")
        try bench.folder.write(Data("text".utf8), to: "tree/2022/notes.txt")
        let result = try bench.run("import", tree, "--albums", "folders")
        #expect(result.status == 1)
        #expect(try albums == "2024  (1)\n")
    }

    @Test("sidecars and RAW files are not added, and a Live Photo is one photo")
    func companions() throws {
        try bench.write("2024/a.jpg", width: 20)
        try bench.folder.write(Data("FUJIFILMCCD-RAW is a RAW".utf8), to: "tree/2024/a.RAF")
        _ = try importTree()
        #expect(try albums == "2024  (1)\n")
    }

    @Test(
        "options that do not go together are rejected",
        arguments: [
            ["--albums", "folders", "--again"], ["x", "--albums", "folders", "--dry-run"],
            ["x", "--albums", "years"],
        ])
    func usage(arguments: [String]) throws {
        #expect(try bench.run(["import"] + arguments).status == 64)
    }
}
