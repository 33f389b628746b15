// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A photographer's day, with every count and every file that the commands leave.
@Suite("a day in the life of a library")
struct DayInTheLifeTests {
    private let bench: Workbench
    private let tree: String

    /// Writes a tree of eight pictures, of which two are equal, with two sidecars and three other files.
    init() throws {
        bench = try Workbench(extensions: ["SepiaFilter", "CropRotate"])
        tree = bench.folder.file("tree")
        for name in 0..<8 {
            let seed = name == 7 ? 6 : name
            try bench.folder.write(
                TestPicture.gradient(seed: seed).encoded(name < 4 ? "jpeg" : "png"),
                to: "tree/202\(name % 2)/p\(name).\(name < 4 ? "jpg" : "png")")
        }
        try rate(0, 2)
        try rate(4, 4)
        try bench.folder.write(Data("notes".utf8), to: "tree/notes.txt")
        try bench.folder.write(Data(), to: "tree/2020/Thumbs.db")
        try bench.folder.write(Data(count: 100), to: "tree/2021/zeros.jpg")
    }

    /// Writes the sidecar of a picture, as darktable does.
    private func rate(_ name: Int, _ stars: Int) throws {
        let text = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
            rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="\(stars)"/>\
            </rdf:RDF></x:xmpmeta>
            """
        try bench.folder.write(
            Data(text.utf8),
            to: "tree/202\(name % 2)/p\(name).\(name < 4 ? "jpg" : "png").xmp")
    }

    /// The numbers of rows with each status.
    private func statuses(_ arguments: String...) throws -> [String: Int] {
        let rows = try bench.run(arguments + ["--json"]).objects.compactMap {
            $0["status"] as? String
        }
        return rows.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private func ratings() throws -> [String: Int] {
        var found: [String: Int] = [:]
        for row in try bench.run("dump", "--all").objects {
            let name = try #require(row["filename"] as? String)
            found[name] = row["rating"] as? Int
        }
        return found
    }

    /// The exported files with their hashes.
    private func exported() throws -> [String: String] {
        let folder = bench.folder.file("out")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { !$0.hasPrefix(".") }
        let hashes = try names.map {
            String(try runProgram("/usr/bin/sha256sum", ["\(folder)/\($0)"]).output.prefix(64))
        }
        return Dictionary(zip(names, hashes)) { first, _ in first }
    }

    private func id(of name: String) throws -> String {
        try #require(
            try bench.json("list", "--text", name).first { $0["filename"] as? String == name }?[
                "id"]
                as? String)
    }

    @Test("import, rate, edit, export, delete, restore, undo, back up and repair")
    func day() throws {
        // Seven different pictures, two sidecars; Thumbs.db is left out silently.
        let first = try statuses("import", tree)
        #expect(first == ["imported": 9, "duplicate": 1, "skipped": 1, "rejected": 1])
        let second = try statuses("import", tree)
        #expect(second == ["duplicate": 10, "skipped": 1, "rejectedBefore": 1])
        #expect(try ratings() == ["p0.jpg": 2, "p4.png": 4])

        // Another program rates; a rating set here is kept.
        try rate(0, 5)
        try rate(4, 1)
        _ = try bench.json("set", id(of: "p4.png"), "--rating", "3")
        let rated = try statuses("import", tree)
        #expect(rated["updated", default: 0] > 0 && rated["imported"] == nil, "\(rated)")
        #expect(try ratings() == ["p0.jpg": 5, "p4.png": 3])
        let unchanged = try statuses("import", tree)
        #expect(unchanged == second, "\(unchanged)")

        // A preset is applied to all photos; again, it changes nothing.
        let model = try id(of: "p1.jpg")
        _ = try bench.json("edit", model, "--with", "sepia", "--set", "intensity=0.4")
        _ = try bench.json("preset", "save", "look", "--from", model)
        #expect(
            try statuses("edit", "--all", "--preset", "look") == ["committed": 6, "unchanged": 1])
        #expect(try statuses("edit", "--all", "--preset", "look") == ["unchanged": 7])

        // The second export writes nothing.
        #expect(try bench.json("export", "--all", "--to", "out").count == 7)
        let files = try exported()
        #expect(files.count == 7)
        let again = try bench.json("export", "--all", "--to", "out")
        #expect(again.count == 7 && again.allSatisfy { $0["written"] as? Bool == false })
        #expect(try exported() == files)

        // A deleted photo is not listed or exported. Restored, it is as before.
        let deleted = try id(of: "p2.jpg")
        _ = try bench.json("delete", deleted)
        #expect(try bench.json("list").count == 6)
        #expect(try bench.json("trash", "list").map { $0["id"] as? String } == [deleted])
        #expect(try bench.json("export", "--all", "--to", "out").count == 6)
        _ = try bench.json("trash", "restore", deleted)
        let restored = try bench.json("export", deleted, "--to", "out")
        #expect(restored.map { $0["written"] as? Bool } == [false])
        #expect(try exported() == files)

        // The last batch is undone for the photos that it changed, and for no other.
        _ = try bench.json("edit", model, "--with", "croprotate", "--set", "turns=1")
        #expect(
            try statuses("edit", "--all", "--with", "croprotate", "--set", "turns=1")
                == ["committed": 6, "unchanged": 1])
        #expect(try bench.json("undo", "--last").count == 6)
        for row in try bench.run("dump", "--all").objects {
            #expect(row["state"] as? Int == (row["id"] as? String == model ? 2 : 1))
        }

        // A damaged original comes back from the backup; a restored library is the same.
        try repairAndRestore()
    }

    private func repairAndRestore() throws {
        let backup = bench.folder.file("backup")
        #expect(try bench.run("backup", backup).status == 0)
        let row = try #require(try bench.run("dump", id(of: "p3.jpg")).objects.first)
        let original = try #require(row["original"] as? [String: Any])
        let hash = try #require(original["hash"] as? String)
        let blob = bench.folder.file("Photos.editlibrary/blobs/\(hash.prefix(2))/\(hash)")
        #expect(chmod(blob, 0o644) == 0)
        try Data("damage".utf8).write(to: URL(fileURLWithPath: blob))
        #expect(try bench.run("check", "--read-data", "100").status == 2)
        let repaired = try bench.run("check", "--read-data", "100", "--repair", "--from", backup)
        #expect(repaired.status == 0, "\(repaired.output)")
        #expect(try runProgram("/usr/bin/sha256sum", [blob]).output.hasPrefix(hash))

        let elsewhere = bench.folder.file("Elsewhere.editlibrary")
        #expect(try bench.run("restore", backup, "--library", elsewhere).status == 0)
        let here = try bench.run("dump", "--all").output
        let there = try bench.run("dump", "--all", "--library", elsewhere).output
        #expect(!here.isEmpty && here == there)
        #expect(try bench.run("check", "--library", elsewhere, "--read-data", "100").status == 0)
    }
}
