// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Sidecars that another program changes after their pictures have been imported.
@Suite("changed sidecars")
struct ChangedSidecarTests {

    private func write(_ tags: [String], to path: String) throws {
        if access(path, F_OK) != 0 {
            let empty = """
                <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
                 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
                 <rdf:Description rdf:about=""/></rdf:RDF></x:xmpmeta>
                """
            try Data(empty.utf8).write(to: URL(fileURLWithPath: path))
        }
        let tagged = try runProgram(
            "/usr/bin/env", ["exiftool", "-q", "-overwrite_original"] + tags + [path])
        try #require(tagged.status == 0, "\(tagged.errors)")
    }

    /// A workbench with an imported picture, its identifier, and the paths of the picture and its sidecar.
    private func imported(
        _ tags: [String], picture: [String] = [], options: [String] = []
    ) throws -> (bench: Workbench, id: String, picture: String, sidecar: String) {
        let bench = try Workbench()
        let path = try bench.picture(name: "a.png")
        if !picture.isEmpty { try write(picture, to: path) }
        try write(tags, to: path + ".xmp")
        let rows = try bench.json(["import", bench.folder.file("photos")] + options)
        let id = try #require(rows.first?["id"] as? String)
        return (bench, id, path, path + ".xmp")
    }

    private func again(_ bench: Workbench, _ options: String...) throws -> [[String: Any]] {
        try bench.json(["import", bench.folder.file("photos")] + options)
    }

    private func statuses(_ rows: [[String: Any]]) -> [String] {
        rows.compactMap { $0["status"] as? String }
    }

    private func show(_ bench: Workbench, _ id: String) throws -> [String: Any] {
        try #require(try bench.json("show", id).first)
    }

    /// The filenames of the stored sidecars.
    private func stored(_ bench: Workbench, _ id: String) throws -> [String] {
        try bench.json("resources", id)
            .filter { $0["type"] as? String == "metadataSidecar" }
            .compactMap { $0["filename"] as? String }
    }

    @Test("a sidecar beside the picture takes precedence over a stored one that is no longer there")
    func otherName() throws {
        let (bench, id, picture, sidecar) = try imported(["-XMP-xmp:Rating=3"])
        try FileManager.default.removeItem(atPath: sidecar)
        try write(["-XMP-xmp:Rating=5"], to: String(picture.dropLast(4)) + ".xmp")
        _ = try again(bench)
        #expect(try show(bench, id)["rating"] as? Int == 5)
        #expect(Set(statuses(try again(bench))) == ["duplicate"])
    }

    @Test("a changed sidecar is read again and replaces the stored one")
    func changed() throws {
        let (bench, id, _, sidecar) = try imported([
            "-XMP-xmp:Rating=2", "-XMP-dc:Subject=one", "-XMP-dc:Subject=two",
        ])
        #expect(try bench.run("set", id, "--keyword", "mine").status == 0)
        try write(
            ["-XMP-xmp:Rating=5", "-XMP-dc:Subject=two", "-XMP-dc:Subject=three"], to: sidecar)
        #expect(statuses(try again(bench)) == ["updated", "updated"])
        let shown = try show(bench, id)
        #expect(shown["rating"] as? Int == 5)
        #expect(shown["keywords"] as? [String] == ["mine", "three", "two"])
        #expect(try stored(bench, id) == ["a.png.xmp"])
        for options in [[], ["--again"]] {
            let rows = try bench.json(["import", bench.folder.file("photos")] + options)
            #expect(statuses(rows) == ["duplicate", "duplicate"], "\(rows)")
        }
        #expect(
            try bench.json("import", "--again").map { $0["status"] as? String } == ["duplicate"])
        #expect(
            try show(bench, id)["modificationDate"] as? String
                == shown["modificationDate"] as? String)
        #expect(try bench.run("check").status == 0)
    }

    @Test("a value set in the library is kept and reported, and others are taken over")
    func kept() throws {
        let (bench, id, path, sidecar) = try imported([
            "-XMP-xmp:Rating=2", "-XMP-dc:Subject=one", "-XMP-dc:Title=First",
        ])
        #expect(try bench.run("set", id, "--rating", "3").status == 0)
        try write(
            ["-XMP-xmp:Rating=5", "-XMP-dc:Subject=two", "-XMP-dc:Title=Second"], to: sidecar)
        let rows = try again(bench)
        let kept = try #require(rows.first?["kept"] as? [[String: Any]])
        #expect(kept.count == 1)
        #expect(kept.first?["field"] as? String == "rating")
        #expect(kept.first?["library"] as? String == "3")
        #expect(kept.first?["stated"] as? String == "5")
        #expect(kept.first?["source"] as? String == "sidecar")
        let shown = try show(bench, id)
        #expect(shown["rating"] as? Int == 3 && shown["title"] as? String == "Second")
        #expect(shown["keywords"] as? [String] == ["two"])
        try write(["-XMP-xmp:Rating=4"], to: sidecar)
        let third = try bench.run("import", path, sidecar)
        #expect(
            third.errors.contains("kept: rating 3 was set in the library; the sidecar says 4"),
            "\(third.errors)")
        #expect(third.output.contains("duplicate") && third.output.contains("updated"))
    }

    @Test("a sidecar that loses a value falls back to the file's, or keeps it if there is none")
    func lost() throws {
        let (bench, id, _, sidecar) = try imported(
            [
                "-XMP-xmp:Rating=5", "-XMP-dc:Title=Beside", "-XMP-dc:Subject=one",
                "-XMP-dc:Subject=two", "-XMP-xmp:Label=Red",
            ], picture: ["-XMP-xmp:Rating=2"])
        try write(["-XMP-xmp:Rating=", "-XMP-dc:Title=", "-XMP-dc:Subject-=one"], to: sidecar)
        #expect(statuses(try again(bench)) == ["updated", "updated"])
        let shown = try show(bench, id)
        #expect(shown["rating"] as? Int == 2 && shown["title"] as? String == "Beside")
        #expect(shown["keywords"] as? [String] == ["two"])
        // The title was not set here, so that a new one is taken over.
        try write(["-XMP-dc:Title=New", "-XMP-xmp:Rating=1"], to: sidecar)
        #expect(statuses(try again(bench)) == ["updated", "updated"])
        let now = try show(bench, id)
        #expect(now["rating"] as? Int == 1 && now["title"] as? String == "New")
    }

    @Test("the last keyword that is removed from a sidecar is removed from the photo")
    func lastKeyword() throws {
        let (bench, id, _, sidecar) = try imported(["-XMP-dc:Subject=one", "-XMP-dc:Title=Pier"])
        #expect(try bench.run("set", id, "--keyword", "mine").status == 0)
        try write(["-XMP-dc:Subject-=one"], to: sidecar)
        #expect(statuses(try again(bench)) == ["updated", "updated"])
        #expect(try show(bench, id)["keywords"] as? [String] == ["mine"])
        #expect(statuses(try again(bench, "--again")) == ["duplicate", "duplicate"])
        #expect(try show(bench, id)["keywords"] as? [String] == ["mine"])
        // The keyword counts as new if it is stated again.
        try write(["-XMP-dc:Subject=one"], to: sidecar)
        _ = try again(bench)
        #expect(try show(bench, id)["keywords"] as? [String] == ["mine", "one"])
    }

    @Test("without keywords in the sidecar, those of the picture's file are used")
    func keywordsOfFile() throws {
        let (bench, id, _, sidecar) = try imported(
            ["-XMP-dc:Subject=one"], picture: ["-XMP-dc:Subject=own"])
        #expect(try show(bench, id)["keywords"] as? [String] == ["one"])
        try write(["-XMP-dc:Subject-=one", "-XMP-xmp:Rating=3"], to: sidecar)
        _ = try again(bench)
        #expect(try show(bench, id)["keywords"] as? [String] == ["own"])
        // A sidecar that never had keywords does not remove those of the file.
        try write(["-XMP-xmp:Rating=4"], to: sidecar)
        _ = try again(bench)
        #expect(try show(bench, id)["keywords"] as? [String] == ["own"])
    }

    @Test("a truncated or empty sidecar changes nothing")
    func truncated() throws {
        let (bench, id, _, sidecar) = try imported(["-XMP-xmp:Rating=2", "-XMP-dc:Subject=one"])
        try write(["-XMP-xmp:Rating=5"], to: sidecar)
        let whole = try Data(contentsOf: URL(fileURLWithPath: sidecar))
        let end = try #require(whole.range(of: Data("</rdf:RDF>".utf8))?.lowerBound)
        for bytes in [whole.prefix(end), whole.prefix(100), Data(), Data("text".utf8)] {
            try bytes.write(to: URL(fileURLWithPath: sidecar))
            for options in [[], ["--again"]] {
                let result = try bench.run(
                    ["import", bench.folder.file("photos"), "--json"] + options)
                #expect(result.status != 0, "\(result.errors)")
                #expect(statuses(try result.objects).last == "rejected")
            }
            let shown = try show(bench, id)
            #expect(shown["rating"] as? Int == 2 && shown["keywords"] as? [String] == ["one"])
            #expect(try stored(bench, id) == ["a.png.xmp"])
        }
        try whole.write(to: URL(fileURLWithPath: sidecar))
        #expect(statuses(try again(bench)) == ["updated", "updated"])
        #expect(try show(bench, id)["rating"] as? Int == 5)
    }

    @Test("a rejected sidecar is not moved")
    func notMoved() throws {
        let (bench, _, _, sidecar) = try imported(["-XMP-xmp:Rating=2"])
        try Data("<x".utf8).write(to: URL(fileURLWithPath: sidecar))
        let result = try bench.run("import", "--move", bench.folder.file("photos"))
        #expect(result.status != 0)
        #expect(access(sidecar, F_OK) == 0)
    }

    @Test("a damaged stored sidecar does not end the import, and changes no value")
    func damaged() throws {
        let (bench, id, _, sidecar) = try imported(
            ["-XMP-xmp:Rating=5"], picture: ["-XMP-xmp:Rating=2"])
        let hash = try #require(
            try bench.json("resources", id)
                .first { $0["type"] as? String == "metadataSidecar" }?["hash"] as? String)
        let blob = bench.folder.file("Photos.editlibrary/blobs/\(hash.prefix(2))/\(hash)")
        try #require(chmod(blob, 0o644) == 0)
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: blob))
        let all = try bench.run("import", "--again")
        #expect(all.status == 0 && all.errors.contains("a.png.xmp cannot be read"), "\(all.errors)")
        #expect(try show(bench, id)["rating"] as? Int == 5)
        // A new sidecar replaces the damaged one.
        try write(["-XMP-xmp:Rating=4"], to: sidecar)
        #expect(statuses(try again(bench)) == ["updated", "updated"])
        #expect(try show(bench, id)["rating"] as? Int == 4)
        #expect(try stored(bench, id) == ["a.png.xmp"])
    }

    @Test("a changed sidecar of a video is read again")
    func video() throws {
        let bench = try Workbench()
        let path = bench.folder.file("photos/a.mkv")
        try TestVideo.make(path, size: "64x64", seconds: 1, [])
        try write(["-XMP-xmp:Rating=2"], to: path + ".xmp")
        let id = try #require(try again(bench).first?["id"] as? String)
        #expect(try show(bench, id)["rating"] as? Int == 2)
        try write(["-XMP-xmp:Rating=5", "-XMP-dc:Title=Pier"], to: path + ".xmp")
        #expect(statuses(try again(bench)) == ["updated", "updated"])
        let shown = try show(bench, id)
        #expect(shown["rating"] as? Int == 5 && shown["title"] as? String == "Pier")
        #expect(try stored(bench, id) == ["a.mkv.xmp"])
    }

    @Test("the sidecar of a renamed picture replaces that of its old name")
    func renamed() throws {
        let (bench, id, path, sidecar) = try imported(["-XMP-xmp:Rating=2"])
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.moveItem(atPath: path, toPath: folder + "/b.png")
        try FileManager.default.moveItem(atPath: sidecar, toPath: folder + "/b.png.xmp")
        #expect(statuses(try again(bench)) == ["duplicate", "duplicate"])
        try write(["-XMP-xmp:Rating=4"], to: folder + "/b.png.xmp")
        #expect(statuses(try again(bench)) == ["updated", "updated"])
        #expect(try show(bench, id)["rating"] as? Int == 4)
        #expect(try stored(bench, id) == ["a.png.xmp"])
        #expect(statuses(try again(bench, "--again")) == ["duplicate", "duplicate"])
    }

    @Test("of two sidecars, that with the whole name takes precedence, whichever changes")
    func two() throws {
        let (bench, id, path, sidecar) = try imported(["-XMP-xmp:Rating=2"])
        let stem = (path as NSString).deletingPathExtension + ".xmp"
        try write(["-XMP-xmp:Rating=4", "-XMP-dc:Title=Stem"], to: stem)
        #expect(Set(statuses(try again(bench))) == ["updated", "duplicate", "imported"])
        let shown = try show(bench, id)
        #expect(shown["rating"] as? Int == 2 && shown["title"] as? String == "Stem")
        try write(["-XMP-xmp:Rating=5"], to: stem)
        #expect(Set(statuses(try again(bench))) == ["duplicate", "updated"])
        #expect(try show(bench, id)["rating"] as? Int == 2)
        try write(["-XMP-xmp:Rating=3"], to: sidecar)
        _ = try again(bench)
        #expect(try show(bench, id)["rating"] as? Int == 3)
        #expect(Set(try stored(bench, id)) == ["a.png.xmp", "a.xmp"])
    }

    @Test("copies of a picture with other sidecars change only its folder, and only once")
    func copies() throws {
        let (bench, id, path, sidecar) = try imported(["-XMP-xmp:Rating=2"])
        let copy = bench.folder.file("photos/copy")
        try FileManager.default.createDirectory(
            atPath: copy, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: path, toPath: copy + "/a.png")
        try write(["-XMP-xmp:Rating=4"], to: copy + "/a.png.xmp")
        for status in ["updated", "duplicate"] {
            let rows = try again(bench)
            #expect(statuses(rows) == ["duplicate", "duplicate", status, "skipped"])
            #expect((rows.last?["error"] as? String)?.contains(sidecar) == true)
            #expect(try show(bench, id)["rating"] as? Int == 2)
        }
        // In a new library, too.
        let other = bench.folder.file("Other.editlibrary")
        for expected in [
            ["imported", "imported", "updated"], ["duplicate", "duplicate", "duplicate"],
        ] {
            let result = try bench.run(
                "import", bench.folder.file("photos"), "--library", other, "--json")
            #expect(statuses(try result.objects) == expected + ["skipped"])
        }
    }

    @Test("the sidecar of a referenced original is read again")
    func referenced() throws {
        let (bench, id, _, sidecar) = try imported(
            ["-XMP-xmp:Rating=2"], options: ["--reference"])
        try write(["-XMP-xmp:Rating=5"], to: sidecar)
        #expect(statuses(try again(bench, "--reference")) == ["updated", "updated"])
        #expect(try show(bench, id)["rating"] as? Int == 5)
        #expect(try bench.run("check").status == 0)
    }

    @Test("two processes that read a changed sidecar store it once")
    func processes() throws {
        let (bench, id, _, sidecar) = try imported(["-XMP-xmp:Rating=2", "-XMP-dc:Subject=one"])
        for rating in 3...5 {
            try write(["-XMP-xmp:Rating=\(rating)", "-XMP-dc:Subject=\(rating)"], to: sidecar)
            let commands = try (0..<3).map { _ in
                let process = Process()
                process.executableURL = URL(fileURLWithPath: try Workbench.command)
                process.arguments = ["import", bench.folder.file("photos")]
                process.environment = bench.environment()
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                return process
            }
            for command in commands {
                command.waitUntilExit()
                #expect(command.terminationStatus == 0)
            }
            let shown = try show(bench, id)
            #expect(shown["rating"] as? Int == rating)
            #expect(shown["keywords"] as? [String] == ["\(rating)"])
            #expect(try stored(bench, id) == ["a.png.xmp"])
        }
    }
}
