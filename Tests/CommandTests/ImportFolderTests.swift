// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The files that an import finds in folders.
@Suite("importing folders")
struct ImportFolderTests {
    private let bench: Workbench
    private let folder: String

    init() throws {
        bench = try Workbench(extensions: ["SepiaFilter"])
        folder = bench.folder.file("photos")
    }

    /// The reported status of each file, by name.
    private func statuses(_ arguments: String...) throws -> [String: String] {
        let result = try bench.run(["import", "--json"] + arguments)
        return try Dictionary(
            result.objects.map { object in
                let path = try #require(object["path"] as? String)
                return (
                    (path as NSString).lastPathComponent, try #require(object["status"] as? String)
                )
            }, uniquingKeysWith: { one, _ in one })
    }

    private func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    @Test("a file that several arguments lead to is imported once")
    func onceOnly() throws {
        _ = try bench.picture(name: "sub/a.png")
        _ = try bench.picture(seed: 1, name: "b.png")
        try bench.folder.write(Data("<x/>".utf8), to: "photos/sub/a.png.xmp")
        try bench.folder.write(Data("text".utf8), to: "photos/sub/notes.txt")
        try bench.folder.write(Data("x".utf8), to: "photos/sub/c.thm")
        try bench.folder.write(Data("x".utf8), to: "photos/sub/c.mp4")
        try FileManager.default.createSymbolicLink(
            atPath: bench.folder.file("link"), withDestinationPath: folder + "/sub")
        let picture = folder + "/sub/a.png"
        for (number, paths) in [
            [folder, folder + "/sub"], [folder + "/sub", folder], [folder, folder],
            [folder + "/", "photos/../photos/sub"], [picture, folder],
            ["photos/sub/a.png", folder], [folder, picture, picture], ["link", folder],
        ].enumerated() {
            let library = ["--library", bench.folder.file("L\(number)")]
            for dryRun in [["--dry-run"], []] {
                let result = try bench.run(["import", "--json"] + paths + dryRun + library)
                let rows = try result.objects
                #expect(rows.count == 6, "\(paths): \(result.output)")
                let imported = rows.filter { $0["status"] as? String == "imported" }
                #expect(imported.count == 3 || !dryRun.isEmpty, "\(paths): \(result.output)")
            }
        }
        // The file counts as named, whatever the order.
        let library = ["--library", bench.folder.file("L0")]
        _ = try bench.json(["delete", "--all", "--yes"] + library)
        let restored = try bench.run(["import", folder, picture] + library)
        #expect(restored.output.contains("restored "), "\(restored.output)")
        // The first folder of a file is kept.
        let (first, second) = (bench.folder.file("L0"), bench.folder.file("L1"))
        for (library, found) in [(first, "sub"), (second, "sub")] {
            let rows = try bench.json("list", "--text", "a.png", "--library", library)
            #expect(rows.first?["folder"] as? String == found)
        }
    }

    @Test("libraries and backups inside a folder are skipped regardless of their names")
    func libraries() throws {
        _ = try bench.importPicture(name: "a.png")
        _ = try bench.json("edit", "--all", "--with", "sepia")
        let deep = folder + "/2024/cards"
        try makeFolder(deep)
        _ = try bench.json("backup", folder + "/Photos.backup")
        _ = try bench.json("backup", deep + "/older")
        let other = ["--library", deep + "/Mine"]
        _ = try bench.json(["import", try bench.picture(seed: 1, name: "b.png")] + other)
        _ = try bench.json(["edit", "--all", "--with", "sepia"] + other)
        // The leftovers of an interrupted first backup and of an interrupted restore.
        for (name, marker) in [("begun", "backup.json"), ("half", "restoring")] {
            try FileManager.default.copyItem(
                atPath: folder + "/Photos.backup", toPath: "\(deep)/\(name)")
            for file in ["library.sqlite", "backup.json"] where file != marker {
                try FileManager.default.removeItem(atPath: "\(deep)/\(name)/\(file)")
            }
            if marker == "restoring" {
                try Data().write(to: URL(fileURLWithPath: "\(deep)/half/restoring"))
            }
        }
        let before = try FolderRecord(folder)
        for method in ["copy", "reference", "move"] {
            let arguments = method == "copy" ? [] : ["--\(method)"]
            let library = ["--library", bench.folder.file("New-\(method)")]
            let result = try bench.run(["import", folder, "--json"] + arguments + library)
            #expect(result.status == 0, "\(result.errors)")
            let names = try result.objects.compactMap { $0["path"] as? String }
            #expect(names == [folder + "/a.png", folder + "/b.png"])
        }
        let touched = try FolderRecord(folder).differences(from: before)
        #expect(Set(touched).isSubset(of: [".", "a.png", "b.png"]), "\(touched)")
    }

    @Test("the target library may lie inside the imported folder")
    func ownLibrary() throws {
        _ = try bench.picture(name: "a.png")
        let library = ["--library", folder + "/Mine"]
        for expected in ["imported", "duplicate"] {
            let result = try bench.run(["import", folder, "--json"] + library)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try result.objects.map { $0["status"] as? String } == [expected])
            _ = try bench.json(["edit", "--all", "--with", "sepia"] + library)
        }
        #expect(try bench.json(["list"] + library).count == 1)
    }

    @Test("a library or backup, or a folder inside one, is rejected if given explicitly")
    func named() throws {
        _ = try bench.importPicture(name: "a.png")
        let backup = bench.folder.file("backup")
        _ = try bench.json("backup", backup)
        let library = bench.folder.file("Photos.editlibrary")
        for path in [library, library + "/blobs", backup, backup + "/blobs"] {
            let result = try bench.run(
                "import", path, "--json", "--library", bench.folder.file("Other"))
            #expect(result.status == 65, "\(path): \(result.output)")
            #expect(try result.objects.map { $0["status"] as? String } == ["rejected"])
        }
        // `--move` does not remove a file from a backup.
        let blob = try #require(
            FileManager.default.subpathsOfDirectory(atPath: backup + "/blobs")
                .first { $0.utf8.count > 60 })
        let result = try bench.run(
            "import", "--move", "\(backup)/blobs/\(blob)", "--library", bench.folder.file("Other"))
        #expect(result.status == 65, "\(result.output)")
        #expect(FileManager.default.fileExists(atPath: "\(backup)/blobs/\(blob)"))
    }

    @Test("a file with a photo or video extension but no such data is rejected")
    func damaged() throws {
        let zeros = Data(count: 20_000)
        let damaged = ["IMG_1.JPG", "b.heic", "c.CR3", "d.MTS", "e.mov", "f.tif", "g.Mp4"]
        for name in damaged { try zeros.write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
        try Data("<html></html>".utf8).write(to: URL(fileURLWithPath: folder + "/h.jpeg"))
        let others = ["notes.txt", "desktop.ini", "list.JPG.csv", "README"]
        for name in others {
            try Data("some text".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        let whole = try bench.picture(name: "whole.png")
        let expected =
            Dictionary(uniqueKeysWithValues: (damaged + ["h.jpeg"]).map { ($0, "rejected") })
            .merging(others.map { ($0, "skipped") }) { one, _ in one }
            .merging(["whole.png": "imported"]) { one, _ in one }
        #expect(try statuses(folder) == expected)
        let single = try bench.run("import", folder + "/IMG_1.JPG")
        #expect(single.status == 65)
        #expect((single.output + single.errors).contains("IMG_1.JPG"))
        // The same holds next to a picture of the same name.
        try zeros.write(to: URL(fileURLWithPath: folder + "/whole.mov"))
        #expect(try statuses(whole, folder + "/whole.mov")["whole.mov"] == "rejected")
    }
}
