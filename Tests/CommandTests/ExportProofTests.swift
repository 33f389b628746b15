// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Exports into folders whose record, file names or location an attacker chose.
@Suite("forged export records")
struct ExportProofTests: ExportingTests {
    let bench: Workbench
    private let ids: [String]
    let folder: String

    init() throws {
        (bench, ids) = try Workbench.withPhotos(2, extensions: ["SepiaFilter"])
        folder = bench.folder.file("out")
    }

    private var record: String { folder + "/" + ExportedFiles.record }

    private func lines() throws -> [String] {
        try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Rewrites the record as versions before library format 11 wrote it.
    private func makeOld() throws {
        let old = try lines().dropFirst().map {
            $0.replacing(/"mac":"[0-9a-f]*",/, with: "")
        }
        try write(
            (["{\"export\":1}"] + old).joined(separator: "\n") + "\n", to: ExportedFiles.record)
    }

    @Test("-prune removes no file for a record line that the library did not write")
    func forged() throws {
        _ = try export(ids[0], ids[1])
        let copy = try Data(contentsOf: URL(fileURLWithPath: folder + "/picture0.png"))
        try copy.write(to: URL(fileURLWithPath: folder + "/mine.png"))
        let good = try lines()
        let line = try #require(good.first { $0.contains("\"picture0.png\"") })
        let claim = line.replacingOccurrences(of: "picture0.png", with: "mine.png")
        for forged in [
            // Lines for a deleted asset, for an exported asset, and with a forged list of left files.
            claim.replacingOccurrences(
                of: ids[0], with: ids[0].replacingOccurrences(of: "-", with: "0")),
            claim, claim.replacing(/"mac":"[0-9a-f]*",/, with: ""),
            line.replacing(/"leaving":\[\]/) { _ in
                "\"leaving\":"
                    + (line.firstMatch(of: /"files":(\[[^\]]*\])/)?.1 ?? "[]")
                    .replacingOccurrences(of: "picture0.png", with: "mine.png")
            },
        ] {
            try write((good + [forged]).joined(separator: "\n") + "\n", to: ExportedFiles.record)
            let result = try bench.run("export", ids[0], ids[1], "--to", folder, "--prune")
            #expect(result.status == 0, "\(result.errors)")
            #expect(try files()["mine.png"] == copy, "\(forged)")
            #expect(try files().count == 3)
        }
        // The same holds if it is the only line.
        try write([good[0], claim].joined(separator: "\n") + "\n", to: ExportedFiles.record)
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        _ = try export(ids[0], "--prune", "--overwrite", "always")
        _ = try export(ids[1], "--prune")
        #expect(try files()["mine.png"] == copy)
    }

    @Test("a record of an earlier version causes no deletions and no copies of unchanged files")
    func earlierVersion() throws {
        _ = try export(ids[0], ids[1])
        try makeOld()
        let before = try files()
        #expect(try export(ids[0], ids[1]).allSatisfy { $0["reason"] as? String == "unchanged" })
        #expect(
            try export(ids[0], ids[1], "--prune", "--overwrite", "always")
                .allSatisfy { $0["reason"] as? String == "present" })
        #expect(try files() == before)

        try makeOld()
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        let result = try bench.run("export", ids[0], ids[1], "--to", folder)
        #expect(result.output == "\(folder)/picture0-1.png\n", "\(result.output)")
        #expect(result.errors.contains("picture0.png was kept"), "\(result.errors)")
        #expect(try files().keys.sorted() == ["picture0-1.png", "picture0.png", "picture1.png"])
        #expect(try files()["picture0.png"] == before["picture0.png"])
        // The new file now belongs to the export, and is replaced in place.
        _ = try bench.json("undo", ids[0])
        #expect(try export(ids[0])[0]["path"] as? String == folder + "/picture0-1.png")
        #expect(try files()["picture0-1.png"] == before["picture0.png"])
        #expect(try files().count == 3)
        // A missing file is exported under its old name.
        try makeOld()
        #expect(unlink(folder + "/picture1.png") == 0)
        let missing = try export(ids[1])
        #expect(missing[0]["reason"] as? String == "missing")
        #expect(missing[0]["path"] as? String == folder + "/picture1.png")
    }

    @Test("a name without a number that an earlier version exported is rejected with advice")
    func earlierVersionWithoutNumbers() throws {
        _ = try export(ids[0], "--name", "{name}")
        try makeOld()
        let before = try files()
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        let result = try bench.run("export", ids[0], "--to", folder, "--name", "{name}")
        #expect(result.status == 73, "\(result.status)")
        #expect(result.errors.contains("move it away, or export into another"), "\(result.errors)")
        #expect(try files() == before)
        // This file was not written by an export.
        try write("mine", to: "copy.png")
        let other = try bench.run("export", ids[0], "--to", folder, "--name", "copy")
        #expect(other.status == 73 && other.errors.contains("{sequence}"), "\(other.errors)")
        #expect(try files()["copy.png"] == Data("mine".utf8))
    }

    @Test("a restored library and a copied record with its folder continue the export")
    func copies() throws {
        _ = try export(ids[0], ids[1])
        let backup = bench.folder.file("backup")
        #expect(try bench.run("backup", backup).status == 0)
        let other = bench.folder.file("Other.editlibrary")
        #expect(try bench.run("restore", backup, "--library", other).status == 0)
        let moved = bench.folder.file("moved")
        try FileManager.default.copyItem(atPath: folder, toPath: moved)
        _ = try bench.json("edit", ids[0], "--with", "sepia", "--library", other)
        let lines = try bench.json("export", ids[0], ids[1], "--to", moved, "--library", other)
        #expect(lines.compactMap { $0["reason"] as? String } == ["content", "unchanged"])
        #expect(lines[0]["path"] as? String == moved + "/picture0.png")
    }

    @Test(
        "names that differ only in Unicode normalisation export once, each with its sidecar"
    )
    func normalisation() throws {
        let names = ["\u{E9}", "e\u{301}", "\u{C5}", "\u{212B}"]
        let card = bench.folder.file("card")
        try FileManager.default.createDirectory(atPath: card, withIntermediateDirectories: true)
        for (seed, name) in names.enumerated() {
            let source = try bench.picture(seed: 20 + seed)
            try #require(rename(source, "\(card)/\(name).png") == 0)
            let xmp = try bench.folder.write(
                Data("<x:xmpmeta xmlns:x='adobe:ns:meta/'/><!-- \(seed) -->".utf8), to: "s")
            try #require(rename(xmp, "\(card)/\(name).\(seed % 2 == 0 ? "xmp" : "png.xmp")") == 0)
        }
        let imported = try bench.json("import", card)
        #expect(imported.count == 8)
        let all = imported.compactMap { $0["id"] as? String }
        #expect(Set(all).count == 4)
        for asset in Set(all) {
            let files = try bench.json("resources", asset).compactMap { $0["filename"] as? String }
            #expect(files.count == 2)
            let stems = Set(files.map { Array($0.utf8.prefix { $0 != UInt8(ascii: ".") }) })
            #expect(stems.count == 1, "\(files)")
        }
        let first = try bench.json(
            ["export", "--to", folder, "--version", "original", "--with-companions"]
                + Array(Set(all)))
        #expect(first.allSatisfy { $0["reason"] as? String == "new" })
        let before = try Set(
            FileManager.default.contentsOfDirectory(atPath: folder).map { Array($0.utf8) })
        #expect(before.count == 9)
        let again = try bench.json(
            ["export", "--to", folder, "--version", "original", "--with-companions", "--prune"]
                + Array(Set(all)))
        #expect(again.count == 4 && again.allSatisfy { $0["reason"] as? String == "unchanged" })
        let after = try Set(
            FileManager.default.contentsOfDirectory(atPath: folder).map { Array($0.utf8) })
        #expect(after == before)
    }

    @Test(
        "a deeply nested folder inside a library is rejected even if its relative path is too long"
    )
    func depth() throws {
        let library = bench.folder.file("Photos.editlibrary")
        let depth = 1400
        let made = try runProgram(
            "/bin/sh",
            [
                "-c",
                "cd \"$0\" && i=0 && while [ $i -lt \(depth) ]; do mkdir d && cd d && i=$((i+1)); done",
                library,
            ],
            environment: bench.environment(), folder: bench.folder.path)
        try #require(made.status == 0, "\(made.errors)")
        let deep =
            library.replacingOccurrences(of: bench.folder.path + "/", with: "")
            + String(repeating: "/d", count: depth)
        #expect(symlink(deep, bench.folder.file("link")) == 0)
        for place in [deep, "./" + deep + "/new", "Photos.editlibrary/d/../d/new/..", "link/new"] {
            for command in [
                ["export", ids[0], "--to", place], ["image", ids[0], "--output", place + "/i.png"],
                ["resources", ids[0], "--type", "photo", "--output", place + "/r"],
                ["image", ids[0], "--to", place],
            ] {
                let result = try bench.run(command)
                #expect(
                    result.status == 64,
                    "\(command[0]) \(place.suffix(20)): \(result.errors.suffix(200))")
            }
        }
    }

    @Test("a contact sheet escapes bidirectional and invisible characters")
    func contactSheet() throws {
        let names = ["a\u{202E}gpj.exe.png", "a\u{2066}b.png", "a\u{200B}b.png", "a\u{E0041}b.png"]
        for (seed, name) in names.enumerated() {
            _ = try bench.importPicture(seed: 30 + seed, name: name)
        }
        let path = bench.folder.file("sheet.svg")
        _ = try bench.json("image", "--all", "--contact-sheet", path, "--size", "200x200")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for scalar in ["202e", "2066", "200b", "e0041"] {
            let value = try #require(UInt32(scalar, radix: 16).flatMap { Unicode.Scalar($0) })
            #expect(!text.unicodeScalars.contains(value), "\(scalar)")
            #expect(text.contains("\\u{\(scalar)}"), "\(scalar)")
        }
        #expect(text.matches(of: /unicode-bidi="isolate"/).count == 6)
    }
}
