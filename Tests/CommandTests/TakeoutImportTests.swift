// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Imports of folders that Google Takeout wrote.
@Suite("imports from Google Takeout")
struct TakeoutImportTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private func writeJSON(_ path: String, _ members: [String: Any] = [:]) throws {
        var content: [String: Any] = [
            "title": "a.jpg", "photoTakenTime": ["timestamp": "1561234567"],
            "geoData": ["latitude": 41.9, "longitude": 12.5, "altitude": 0.0],
        ]
        content.merge(members) { $1 }
        try bench.folder.write(
            JSONSerialization.data(withJSONObject: content), to: "tree/" + path)
    }

    private func importTree(_ options: String...) throws -> [String: String] {
        let rows = try bench.json(["import", bench.tree] + options)
        return try Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let path = try #require(row["path"] as? NSString)
                return (path.lastPathComponent, try #require(row["status"] as? String))
            })
    }

    /// What `show` prints about the photo with a file name.
    private func show(_ name: String) throws -> [String: Any] {
        let rows = try bench.json("list", "--text", name)
        let row = try #require(rows.first { $0["filename"] as? String == name })
        let id = try #require(row["id"] as? String)
        return try #require(try bench.json("show", id).first)
    }

    private func latitude(_ row: [String: Any]) -> Double? {
        (row["location"] as? [String: Any])?["latitude"] as? Double
    }

    @Test("date, position, description and favourite come from the JSON")
    func values() throws {
        try bench.write("a.jpg", width: 20)
        try writeJSON(
            "a.jpg.supplemental-metadata.json", ["description": "Pier", "favorited": true])
        try bench.write("b.jpg", width: 21)
        try bench.folder.write(Data(#"{"title": "x"}"#.utf8), to: "tree/b.jpg.json")
        try writeJSON("c.jpg.json")
        let expected = [
            "a.jpg": "imported", "a.jpg.supplemental-metadata.json": "imported",
            "b.jpg": "imported", "b.jpg.json": "skipped", "c.jpg.json": "skipped",
        ]
        #expect(try importTree("--dry-run") == expected)
        #expect(try importTree() == expected)
        let row = try show("a.jpg")
        #expect((row["creationDate"] as? String)?.hasPrefix("2019-06-22T20:16:07") == true)
        #expect(row["description"] as? String == "Pier")
        #expect(row["isFavorite"] as? Bool == true && latitude(row) == 41.9)
        #expect(row["title"] is NSNull)
        let files = try bench.json("resources", try #require(row["id"] as? String))
        #expect(
            files.contains { $0["filename"] as? String == "a.jpg.supplemental-metadata.json" })
        let again = try importTree()
        #expect(again["a.jpg"] == "duplicate")
        #expect(again["a.jpg.supplemental-metadata.json"] == "duplicate")
    }

    @Test("the file's date and an XMP file take precedence over the JSON")
    func precedence() throws {
        try bench.write("a.jpg", width: 20)
        let tags = [
            "-DateTimeOriginal=2018:01:02 03:04:05", "-GPSLatitude=1", "-GPSLatitudeRef=N",
            "-GPSLongitude=2", "-GPSLongitudeRef=E", "-ImageDescription=File",
        ]
        let tagged = try runProgram(
            "/usr/bin/env",
            ["exiftool", "-q", "-overwrite_original"] + tags + [bench.tree + "/a.jpg"])
        try #require(tagged.status == 0, "\(tagged.errors)")
        try writeJSON("a.jpg.json", ["description": "Takeout"])
        _ = try importTree()
        var row = try show("a.jpg")
        #expect((row["creationDate"] as? String)?.hasPrefix("2018-01-02T03:04:05") == true)
        #expect(row["description"] as? String == "Takeout" && latitude(row) == 41.9)
        let xmp = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
             xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
             rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt>
             <rdf:li xml:lang="x-default">XMP</rdf:li></rdf:Alt></dc:description>
             </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        try bench.folder.write(Data(xmp.utf8), to: "tree/a.xmp")
        _ = try importTree()
        row = try show("a.jpg")
        #expect(row["description"] as? String == "XMP" && latitude(row) == 41.9)
    }

    @Test("a changed JSON is merged: values set in the library are kept")
    func changed() throws {
        try bench.write("a.jpg", width: 20)
        try writeJSON("a.jpg.json", ["description": "one"])
        _ = try importTree()
        let id = try #require(try show("a.jpg")["id"] as? String)
        try writeJSON("a.jpg.json", ["description": "two", "favorited": true])
        #expect(try importTree() == ["a.jpg": "updated", "a.jpg.json": "updated"])
        #expect(try show("a.jpg")["description"] as? String == "two")
        #expect(try show("a.jpg")["isFavorite"] as? Bool == true)
        _ = try bench.json("set", id, "--description", "mine")
        try writeJSON("a.jpg.json", ["description": "three", "favorited": false])
        _ = try importTree()
        #expect(try show("a.jpg")["description"] as? String == "mine")
        #expect(try show("a.jpg")["isFavorite"] as? Bool == false)
        _ = try bench.json("favorite", id)
        try writeJSON("a.jpg.json", ["description": "four", "favorited": false])
        _ = try importTree()
        #expect(try show("a.jpg")["isFavorite"] as? Bool == true)
        #expect(
            try bench.json("resources", id).filter { $0["filename"] as? String == "a.jpg.json" }
                .count == 1)
        // A damaged file changes nothing.
        try bench.folder.write(Data(#"{"photoTakenTime": {"#.utf8), to: "tree/a.jpg.json")
        let result = try bench.run("import", bench.tree)
        #expect(result.status == 1 && result.errors.contains("truncated, or not JSON"))
        #expect(try show("a.jpg")["description"] as? String == "mine")
    }

    @Test(
        "an edited version has the values of the JSON of its picture", arguments: [[], ["--move"]])
    func edited(options: [String]) throws {
        try bench.write("a.jpg", width: 20)
        try bench.write("a-edited.jpg", width: 21)
        try bench.write("b(1).jpg", width: 22)
        try bench.write("b-edited(1).jpg", width: 23)
        try writeJSON("a.jpg.json", ["description": "A"])
        try writeJSON("b.jpg(1).json", ["description": "B"])
        let rows = try bench.json(["import", bench.tree] + options)
        #expect(rows.count == 6)
        for (name, text) in [
            ("a.jpg", "A"), ("a-edited.jpg", "A"), ("b(1).jpg", "B"), ("b-edited(1).jpg", "B"),
        ] {
            let row = try show(name)
            #expect(row["description"] as? String == text && latitude(row) == 41.9, "\(name)")
        }
        if !options.isEmpty {
            #expect(try FileManager.default.contentsOfDirectory(atPath: bench.tree).isEmpty)
        }
    }

    @Test(
        "a JSON is moved after all files that use it were imported",
        arguments: ["a.mov", "a-edited.mov"], [[], ["--move"]])
    func sharedJSON(video: String, options: [String]) throws {
        try writeJSON("a.jpg.json", ["description": "Pier"])
        // The identifiers show that the video is not that of the picture.
        try TestLivePhoto.makeStill(bench.tree + "/a.jpg", UUID().uuidString)
        try TestLivePhoto.makeVideo(bench.tree + "/" + video, UUID().uuidString)
        let rows = try bench.json(["import", bench.tree] + options)
        let names = rows.compactMap { ($0["path"] as? NSString)?.lastPathComponent }.sorted()
        #expect(names == ["a.jpg", "a.jpg.json", video].sorted())
        #expect(rows.allSatisfy { $0["status"] as? String == "imported" }, "\(rows)")
        for name in ["a.jpg", video] {
            #expect(try show(name)["description"] as? String == "Pier", "\(name)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: bench.tree)
        #expect(left.isEmpty == !options.isEmpty, "\(left)")
    }

    @Test("a video beside a damaged picture has the values of their JSON")
    func damagedPicture() throws {
        try writeJSON("a.jpg.json", ["description": "Pier"])
        try bench.folder.write(
            TestPicture.gradient().encoded("jpeg").prefix(200), to: "tree/a.jpg")
        try TestLivePhoto.makeVideo(bench.tree + "/a.mov", nil)
        let result = try bench.run("import", bench.tree, "--move")
        #expect(result.status == 1, "\(result)")
        #expect(try show("a.mov")["description"] as? String == "Pier")
        let left = try FileManager.default.contentsOfDirectory(atPath: bench.tree).sorted()
        #expect(left == ["a.jpg", "a.jpg.json"])
    }

    @Test(
        "a JSON stays if a picture or video that uses it was rejected",
        arguments: ["a-edited.jpg", "a.mov"])
    func damaged(name: String) throws {
        try writeJSON("a.jpg.json", ["description": "Pier"])
        try bench.write("a.jpg", width: 20)
        try bench.folder.write(
            TestPicture.gradient(seed: 1).encoded("jpeg").prefix(200), to: "tree/" + name)
        let result = try bench.run("import", bench.tree, "--move")
        #expect(result.status == 1, "\(result)")
        #expect(result.errors.contains("was not imported"), "\(result.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: bench.tree).sorted()
        #expect(left == [name, "a.jpg.json"].sorted())
        // The picture is downloaded again.
        try bench.write("a-edited.jpg", width: 21)
        _ = try bench.run("import", bench.tree, "--move")
        #expect(try show("a-edited.jpg")["description"] as? String == "Pier")
    }

    @Test("a dry run predicts the results of a picture in several albums and of its JSON files")
    func preview() throws {
        func statuses(_ options: String...) throws -> [String: String] {
            let rows = try bench.json(["import", bench.tree] + options)
            return try Dictionary(
                uniqueKeysWithValues: rows.map { row in
                    let path = try #require(row["path"] as? String)
                    return (path, try #require(row["status"] as? String))
                })
        }
        for path in ["2019/a.jpg", "Rome/a.jpg", "Rome/b.jpg", "Trip/a.jpg"] {
            try bench.write(path, width: 20)
        }
        try writeJSON("2019/a.jpg.json")
        for copy in ["a", "b"] {
            try FileManager.default.copyItem(
                atPath: bench.tree + "/2019/a.jpg.json",
                toPath: bench.tree + "/Rome/\(copy).jpg.json")
        }
        try writeJSON("Trip/a.jpg.json", ["description": "Pier"])
        let planned = try statuses("--dry-run")
        #expect(
            planned.values.sorted()
                == Array(repeating: "duplicate", count: 5) + ["imported", "imported", "skipped"])
        #expect(try statuses() == planned)
        try writeJSON("2019/a.jpg.json", ["description": "Sea"])
        let changed = try statuses("--dry-run")
        #expect(changed.values.count { $0 == "updated" } == 2)
        #expect(try statuses() == changed)
    }

    @Test("a dry run predicts the results of an edited version with the same bytes")
    func previewOfEqualVersion() throws {
        try bench.write("b.jpg", width: 20)
        try bench.write("b-edited.jpg", width: 20)
        try writeJSON("b.jpg.json")
        let first = ["b-edited.jpg": "imported", "b.jpg": "duplicate", "b.jpg.json": "imported"]
        #expect(try importTree("--dry-run") == first)
        #expect(try importTree() == first)
        let again = first.mapValues { _ in "duplicate" }
        #expect(try importTree("--dry-run") == again)
        #expect(try importTree() == again)
    }

    @Test("albums get the titles of metadata.json")
    func albums() throws {
        try bench.write("Trip_ Rome/a.jpg", width: 20)
        try bench.folder.write(
            Data(#"{"title": "Trip: Rome", "date": {"timestamp": "0"}}"#.utf8),
            to: "tree/Trip_ Rome/metadata.json")
        try bench.write("Photos from 2019/b.jpg", width: 21)
        try bench.folder.write(Data("{".utf8), to: "tree/Photos from 2019/metadata.json")
        for made in ["2 albums made", nil] {
            let result = try bench.run("import", bench.tree, "--albums", "folders")
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors.contains("albums made") == (made != nil))
        }
        let titles = try bench.json("album", "list").compactMap { $0["title"] as? String }
        #expect(Set(titles) == ["Trip: Rome", "Photos from 2019"])
    }

    @Test("exports write XMP files, not over the JSON, and companions keep it")
    func exported() throws {
        try bench.write("a.jpg", width: 20)
        try writeJSON("a.jpg.json", ["description": "Pier"])
        _ = try importTree()
        let out = bench.folder.file("out")
        _ = try bench.json("export", "--all", "--to", out, "--sidecar", "xmp")
        let xmp = try String(contentsOfFile: out + "/a.jpg.xmp", encoding: .utf8)
        #expect(xmp.contains("Pier") && xmp.contains("<x:xmpmeta"))
    }
}
