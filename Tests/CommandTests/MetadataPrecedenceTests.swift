// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// `import --prefer`.
@Suite("precedence of sidecars")
struct MetadataPrecedenceTests {
    private func tag(_ path: String, _ tags: [String]) throws {
        let isNew = access(path, F_OK) != 0
        let tagged = try runProgram(
            "/usr/bin/env",
            ["exiftool", "-q"] + (isNew ? ["-o", path] : ["-overwrite_original"]) + tags
                + (isNew ? [] : [path]))
        try #require(tagged.status == 0, "\(tagged.errors)")
    }

    /// Imports a picture with a sidecar, and returns `show`.
    ///
    /// - Parameter ages: The ages of the picture and the sidecar in days.
    private func imported(
        _ precedence: String?, picture: [String], sidecar: [String], ages: (Int, Int) = (0, 0)
    ) throws -> [String: Any] {
        let bench = try Workbench()
        let path = try bench.picture(name: "a.png")
        try tag(path, picture)
        try tag(path + ".xmp", sidecar)
        for (file, age) in [(path, ages.0), (path + ".xmp", ages.1)] {
            let date = Date(timeIntervalSince1970: 1_700_000_000 - Double(age) * 86_400)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
        }
        let options = precedence.map { ["--prefer", $0] } ?? []
        let rows = try bench.json(["import", bench.folder.file("photos")] + options)
        let id = try #require(rows.first?["id"] as? String)
        return try #require(try bench.json("show", id).first)
    }

    private func rating(
        _ precedence: String?, _ picture: [String], _ sidecar: [String], ages: (Int, Int) = (0, 0)
    ) throws -> Int? {
        try imported(
            precedence, picture: picture + ["-XMP-xmp:Rating=2"],
            sidecar: ["-XMP-xmp:Rating=5"] + sidecar, ages: ages)["rating"] as? Int
    }

    @Test("the sidecar's value is used, or with --prefer file that of the file")
    func file() throws {
        #expect(try rating(nil, [], []) == 5)
        #expect(try rating("sidecar", [], []) == 5)
        #expect(try rating("file", [], []) == 2)
        let shown = try imported(
            "file", picture: ["-XMP-xmp:Rating=0", "-XMP-dc:Subject=own"],
            sidecar: ["-XMP-xmp:Rating=5", "-XMP-dc:Title=Beside", "-XMP-dc:Subject=other"])
        // A rating of 0 in the file is none.
        #expect(shown["rating"] as? Int == 5 && shown["title"] as? String == "Beside")
        #expect(shown["keywords"] as? [String] == ["own"])
    }

    @Test("--prefer newest compares the dates in XMP, and otherwise the modification times")
    func newest() throws {
        let (old, new) = ("-XMP-xmp:MetadataDate=2020:01:01 00:00:00Z", "2021:01:01 00:00:00Z")
        #expect(try rating("newest", [old], ["-XMP-xmp:MetadataDate=\(new)"]) == 5)
        #expect(try rating("newest", ["-XMP-xmp:MetadataDate=\(new)"], [old]) == 2)
        #expect(try rating("newest", [old], ["-XMP-xmp:ModifyDate=\(new)"]) == 5)
        // The date of the metadata precedes that of the file.
        #expect(
            try rating(
                "newest", [old, "-XMP-xmp:ModifyDate=2030:01:01 00:00:00Z"],
                ["-XMP-xmp:ModifyDate=\(new)"]) == 5)
        #expect(try rating("newest", [], [], ages: (2, 1)) == 5)
        #expect(try rating("newest", [], [], ages: (1, 2)) == 2)
        #expect(try rating("newest", [], [], ages: (1, 1)) == 5)
        // The modification time in 2023 is compared with the date in XMP.
        #expect(try rating("newest", ["-XMP-xmp:MetadataDate=\(new)"], []) == 5)
        #expect(try rating("newest", [], ["-XMP-xmp:MetadataDate=\(new)"]) == 2)
    }

    @Test("--again applies another precedence to photos in the library")
    func again() throws {
        let bench = try Workbench()
        let path = try bench.picture(name: "a.png")
        try tag(path, ["-XMP-xmp:Rating=2", "-XMP-dc:Title=Own"])
        try tag(path + ".xmp", ["-XMP-xmp:Rating=5", "-XMP-dc:Title=Beside"])
        let folder = bench.folder.file("photos")
        let id = try #require(try bench.json("import", folder).first?["id"] as? String)
        #expect(try bench.run("set", id, "--title", "Mine").status == 0)
        let rows = try bench.json("import", "--again", "--prefer", "file", folder)
        #expect(rows.map { $0["status"] as? String } == ["updated", "duplicate"])
        let kept = try #require(rows.first?["kept"] as? [[String: Any]])
        #expect(kept.map { $0["source"] as? String } == ["file"])
        let shown = try #require(try bench.json("show", id).first)
        #expect(shown["rating"] as? Int == 2 && shown["title"] as? String == "Mine")
        #expect(try bench.json("import", "--again").first?["status"] as? String == "updated")
        #expect(try bench.json("show", id).first?["rating"] as? Int == 5)
        #expect(try bench.run("import", "--prefer", "both", folder).status == 64)
    }
}
