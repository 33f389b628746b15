// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of `apply`, which renders files without a library.
@Suite("edits applied to files")
struct ApplyTests {
    private let bench: Workbench
    private let photos: String
    private let out: String
    private let sepia = ["--with", "sepia", "--set", "intensity=0.5"]

    init() throws {
        bench = try Workbench(extensions: ["SepiaFilter", "CropRotate"])
        try bench.assumeReproducing()
        photos = bench.folder.file("photos")
        out = bench.folder.file("out")
    }

    private func apply(_ arguments: [String]) throws -> [[String: Any]] {
        try bench.json(["apply", "--to", out] + arguments)
    }

    private func statuses(_ rows: [[String: Any]]) -> [String] {
        rows.compactMap { $0["status"] as? String }.sorted()
    }

    /// The files below a folder with their contents, without the record of exports.
    private func files(_ folder: String) throws -> [String: Data] {
        let manager = FileManager.default
        return try manager.subpathsOfDirectory(atPath: folder)
            .filter { !$0.contains(ExportedFiles.record) }
            .reduce(into: [:]) { $0[$1] = manager.contents(atPath: "\(folder)/\($1)") }
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: bench.folder.file(name), withIntermediateDirectories: true)
    }

    /// No library was created, and nothing is left in the temporary folder.
    private func expectNoTraces() throws {
        #expect(
            !FileManager.default.fileExists(atPath: bench.folder.file("Photos.editlibrary")))
        let left = try FileManager.default.contentsOfDirectory(
            atPath: bench.folder.file("tmp"))
        #expect(left == [])
    }

    /// Writes a JPEG with metadata and a sidecar, a picture in a folder, a file that is not a picture and hidden files.
    private func makeTree() throws {
        try makeFolder("photos/trip/.hidden")
        try makeFolder("photos/@eaDir")
        let jpeg = try TestPicture.gradient(seed: 1).encoded("jpeg") {
            $0.set("exif-ifd0-Artist", to: "Ann Bell")
        }
        try bench.folder.write(jpeg, to: "photos/a.jpg")
        let sidecar = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
             xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
             xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
            """
        try bench.folder.write(Data(sidecar.utf8), to: "photos/a.jpg.xmp")
        _ = try bench.picture(seed: 2, name: "trip/b.png")
        for (seed, name) in [(5, "trip/.hidden/c.png"), (6, "@eaDir/d.png"), (7, ".e.png")] {
            _ = try bench.picture(seed: seed, name: name)
        }
        try bench.folder.write(Data("text".utf8), to: "photos/trip/notes.txt")
    }

    @Test(
        "the files are the same as after an import, an edit and an export",
        arguments: [
            [], ["--format", "webp", "--size", "20x20", "--quality", "80"],
            ["--sidecar", "xmp", "--name", "{folder}/{name}-{version}{sequence}"],
            ["--metadata", "copyright", "--mtime", "now"],
        ])
    func sameBytes(options: [String]) throws {
        try makeTree()
        let before = try files(photos)
        let library = ["--library", bench.folder.file("tmp-library")]
        let rows = try bench.json(["import", photos] + library)
        let ids = rows.compactMap {
            $0["resource"] as? String == "photo" ? $0["id"] as? String : nil
        }
        #expect(ids.count == 2)
        let toned = sepia + ["--then", "croprotate", "--set", "turns=1"]
        _ = try bench.json(["edit"] + ids + library + toned)
        _ = try bench.json(["preset", "save", "old look", "--from", ids[0]] + library)
        let exported = bench.folder.file("exported")
        _ = try bench.json(["export", "--all", "--to", exported] + options + library)
        let applied = try apply(["--preset", "old look", photos] + options)
        #expect(statuses(applied) == ["skipped", "written", "written"])
        #expect(try files(out) == files(exported))
        #expect(try files(photos) == before)
        try expectNoTraces()
        // An edit with one extension is the same as that of edit, too.
        _ = try bench.json(["edit"] + ids + library + ["--replace"] + sepia)
        _ = try bench.json(["export", "--all", "--to", exported] + options + library)
        try FileManager.default.moveItem(atPath: out, toPath: out + "-old")
        _ = try apply(sepia + [photos] + options)
        #expect(try files(out) == files(exported))
    }

    @Test("photos of real cameras are the same as through a library", .corpus)
    func realPhotos() throws {
        let names = try Corpus.photos().compactMap { $0["path"] }
            .filter { $0.hasPrefix("cameras/") }.sorted().prefix(6)
        let paths = try names.map { try Corpus.path($0) }
        let ids = try bench.json(["import"] + paths).compactMap { $0["id"] as? String }
        _ = try bench.json(["edit"] + ids + sepia)
        let (exported, options) = (bench.folder.file("exported"), ["--size", "400x400"])
        _ = try bench.json(["export"] + ids + ["--to", exported] + options)
        #expect(try apply(sepia + paths + options).count == names.count)
        #expect(try files(out) == files(exported))
    }

    @Test("each file is rendered, equal ones too, and names are numbered")
    func clashes() throws {
        for folder in ["a", "b", "c"] { try makeFolder("photos/\(folder)") }
        for (seed, name) in [(1, "a/x.png"), (2, "b/x.png"), (1, "c/y.png"), (1, "c/x.png")] {
            _ = try bench.picture(seed: seed, name: name)
        }
        let rows = try apply(sepia + [photos])
        #expect(rows.count == 4)
        let written = try files(out)
        #expect(written.keys.sorted() == ["x-1.png", "x.png", "y.png"])
        #expect(written["x.png"] == written["y.png"])
        // The copy of a/x.png is there already.
        #expect(statuses(rows) == ["present", "written", "written", "written"])
        let sources = rows.compactMap { $0["path"] as? String }.map { $0.suffix(7) }
        #expect(sources.sorted() == ["a/x.png", "b/x.png", "c/x.png", "c/y.png"])
    }

    @Test("a second run writes nothing, and never over files of others")
    func again() throws {
        let picture = try bench.picture(seed: 1)
        let input = try Data(contentsOf: URL(fileURLWithPath: picture))
        // The output folder may contain the input.
        let here = sepia + [picture, "--to", photos]
        #expect(try statuses(bench.json(["apply"] + here)) == ["written"])
        #expect(try statuses(bench.json(["apply"] + here)) == ["present"])
        let names = try FileManager.default.contentsOfDirectory(atPath: photos).sorted()
        #expect(names == ["picture1-1.png", "picture1.png"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: picture)) == input)
        let text = try bench.run(["apply"] + here)
        #expect(text.status == 0 && text.output.isEmpty)
        #expect(text.errors.contains("0 written, 1 unchanged"), "\(text.errors)")
    }

    @Test("more files than are rendered in one library")
    func batches() throws {
        for seed in 0..<20 { _ = try bench.picture(seed: seed % 3, name: "p\(seed).png") }
        let rows = try apply(sepia + [photos, "--jobs", "1"])
        #expect(statuses(rows) == Array(repeating: "written", count: 20))
        let written = try files(out)
        for seed in 3..<20 { #expect(written["p\(seed).png"] == written["p\(seed % 3).png"]) }
        try expectNoTraces()
    }

    @Test("a failure ends the command; --keep-going renders the others")
    func failures() throws {
        let bad = try bench.folder.write(
            TestPicture.gradient(seed: 9).encoded().prefix(60), to: "photos/bad.png")
        let good = try bench.picture()
        let arguments = ["apply", "--to", out] + sepia + [bad, good]
        let stopped = try bench.run(arguments)
        #expect(stopped.status == 65, "\(stopped)")
        #expect(stopped.errors.contains("--keep-going"), "\(stopped.errors)")
        #expect(stopped.errors.contains(bad), "\(stopped.errors)")
        #expect(try files(out).isEmpty)
        let kept = try bench.run(arguments + ["--keep-going", "--json"])
        #expect(kept.status == 1)
        let rows = try kept.objects
        #expect(statuses(rows) == ["failed", "written"])
        let failed = try #require(rows.first { $0["status"] as? String == "failed" })
        #expect(failed["path"] as? String == bad)
        #expect(failed["errorCode"] as? String == "badInput")
        #expect(failed["error"] is String && (failed["files"] as? [String]) == [])
        #expect(try files(out).keys.sorted() == ["picture0.png"])
        // A missing file is reported with its own status.
        let missing = try bench.run(["apply", "--to", out] + sepia + ["nothing.jpg"])
        #expect(missing.status == 66, "\(missing)")
        try expectNoTraces()
    }

    @Test("a failing extension is reported with the file, not with an identifier")
    func failingExtension() throws {
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        let picture = try bench.picture()
        let adder = ["--with", "adder", "--set", "amount=7", "--set", "mode=fail-finish"]
        let result = try bench.run(["apply", picture, "--to", out] + adder)
        #expect(result.status == 70, "\(result)")
        #expect(result.errors.contains(picture), "\(result.errors)")
        #expect(!result.errors.contains("asset"), "\(result.errors)")
        #expect(try files(out).isEmpty)
        let bad = try bench.run("apply", picture, "--to", out, "--with", "sepia", "--set", "x=1")
        #expect(bad.status == 64 && bad.errors.contains("x"), "\(bad)")
        let unknown = try bench.run("apply", picture, "--to", out, "--with", "nothing")
        #expect(unknown.status == 69, "\(unknown)")
    }

    @Test("an output folder that the next run would search is rejected")
    func searchedFolder() throws {
        _ = try bench.picture()
        try makeFolder("photos/old")
        try FileManager.default.createSymbolicLink(
            atPath: bench.folder.file("link"), withDestinationPath: photos)
        for place in [photos, photos + "/old", photos + "/new/deep", "link/new"] {
            for input in ["photos", bench.folder.file("link")] {
                let result = try bench.run(["apply", input, "--to", place] + sepia)
                #expect(result.status == 64, "\(place): \(result)")
                #expect(result.errors.contains("next run"), "\(result.errors)")
            }
        }
        #expect(try files(photos).keys.sorted() == ["picture0.png"])
        let hidden = try bench.json(["apply", photos, "--to", photos + "/.web"] + sepia)
        #expect(statuses(hidden) == ["written"])
        let excluded = try bench.json(
            ["apply", photos, "--to", photos + "/web", "--exclude", "web/"] + sepia)
        #expect(statuses(excluded) == ["written"])
        #expect(FileManager.default.fileExists(atPath: photos + "/web/picture0.png"))
    }

    private static let identifier = "C3754624-A05F-474D-9F16-E9C47B5F892D"
    private static let other = "F08C4D29-CD6A-47D9-9200-02BD19D9F3F2"

    private func still(_ name: String, _ identifier: String = Self.identifier) throws {
        try makeFolder("photos")
        try TestLivePhoto.makeStill(bench.folder.file("photos/\(name)"), identifier)
    }

    private func video(_ name: String, _ identifier: String? = Self.identifier) throws {
        try makeFolder("photos")
        try TestLivePhoto.makeVideo(bench.folder.file("photos/\(name)"), identifier)
    }

    /// The names and statuses of the files in some rows.
    private func outcomes(_ rows: [[String: Any]]) -> [String] {
        rows.map { row in
            let name = (row["path"] as? String)?.split(separator: "/").last
            return "\(name ?? "") \(row["status"] ?? "")"
        }.sorted()
    }

    @Test("a video with another name is rendered with its picture, however many files there are")
    func distantMotion() throws {
        try makeManyPictures()
        try still("z.jpg")
        try video("a.mov")
        let rows = try apply(sepia + [photos, "--jobs", "1", "--live", "pair"])
        #expect(rows.count == 18 && Set(statuses(rows)) == ["written"])
        #expect(!outcomes(rows).contains { $0.hasPrefix("a.mov") })
        #expect(try files(out).count == 19)
    }

    @Test("a video that belongs to a later picture does not fail")
    func laterStill() throws {
        try still("a.jpg")
        try video("a.mov", Self.other)
        try still("c.jpg", Self.other)
        let rows = try apply(sepia + [photos])
        #expect(outcomes(rows) == ["a.jpg written", "c.jpg written"])
    }

    /// Makes pictures for more than one library, so that `a.jpg` is in the first and `z.jpg` in the last.
    private func makeManyPictures() throws {
        for seed in 0..<17 { _ = try bench.picture(seed: seed, name: "p\(seed).png") }
    }

    @Test(
        "a video is rendered with the picture of its identifier, not with that of its name",
        arguments: [("a", "z"), ("z", "a")])
    func motionOfOtherName(beside: String, owner: String) throws {
        try makeManyPictures()
        try still("\(beside).jpg")
        try video("\(beside).mov", Self.other)
        try still("\(owner).jpg", Self.other)
        let rows = try apply(sepia + [photos, "--jobs", "1", "--live", "pair"])
        #expect(rows.count == 19 && Set(statuses(rows)) == ["written"])
        #expect(!outcomes(rows).contains { $0.hasPrefix("\(beside).mov") })
        // 19 pictures, and the motion of one.
        let written = try files(out).keys.sorted()
        #expect(written.count == 20, "\(written)")
        #expect(written.count { $0.hasPrefix("\(owner).") } == 2, "\(written)")
    }

    @Test("copies of a Live Photo keep their own videos, however many files there are")
    func copiedLivePhoto() throws {
        try makeManyPictures()
        for (name, width) in [("a", 160), ("z", 120)] {
            try TestLivePhoto.makeStill(
                photos + "/\(name).jpg", Self.identifier, width: width)
            try TestLivePhoto.makeVideo(
                photos + "/\(name).mov", Self.identifier, size: "\(width)x90")
        }
        let rows = try apply(sepia + [photos, "--jobs", "1", "--live", "pair"])
        #expect(rows.count == 19 && Set(statuses(rows)) == ["written"])
        #expect(!outcomes(rows).contains { $0.contains(".mov") })
        #expect(try files(out).count == 21)
    }

    @Test("a video of another identifier without a picture is rendered as a file of its own")
    func motionWithoutPicture() throws {
        try makeManyPictures()
        try still("a.jpg")
        try video("a.mov", Self.other)
        let rows = try apply(sepia + [photos, "--jobs", "1"])
        #expect(rows.count == 19 && Set(statuses(rows)) == ["written"])
        #expect(outcomes(rows).contains("a.mov written"))
    }

    @Test("each of two equal damaged files is reported")
    func equalDamagedFiles() throws {
        try makeManyPictures()
        // The second one is read with the video, after the picture that it belongs to.
        let damaged = try TestPicture.gradient(seed: 9).encoded().prefix(60)
        for name in ["b.xmp", "c.xmp"] {
            try bench.folder.write(damaged, to: "photos/\(name)")
        }
        try still("a.jpg")
        try video("c.mov")
        let result = try bench.run(
            ["apply", photos, "--to", out, "--jobs", "1", "--keep-going", "--json"] + sepia)
        #expect(result.status == 1, "\(result)")
        let found = outcomes(try result.objects)
        #expect(found.filter { $0.hasSuffix("failed") } == ["b.xmp failed", "c.xmp failed"])
        #expect(found.count == 20, "\(found)")
    }

    @Test("a copy of a Live Photo's video is rendered too")
    func copiedMotion() throws {
        try still("a.jpg")
        try video("a.mov")
        try FileManager.default.copyItem(
            atPath: photos + "/a.mov", toPath: photos + "/copy.mov")
        let rows = try apply(sepia + [photos])
        #expect(outcomes(rows) == ["a.jpg written", "copy.mov written"])
    }

    @Test("--size fails only for a single video that is named")
    func videoSize() throws {
        try video("a.mov", nil)
        let options = sepia + ["--size", "8x8", "--to", out]
        let inFolder = try bench.run(["apply", photos] + options)
        #expect(inFolder.status == 0, "\(inFolder)")
        #expect(inFolder.errors.contains("1 video was written without"), "\(inFolder)")
        let named = try bench.run(["apply", photos + "/a.mov"] + options)
        #expect(named.status != 0, "\(named)")
    }

    @Test("--dry-run reports the same files and writes nothing")
    func dryRun() throws {
        try makeTree()
        try video("clip.mov", nil)
        try still("live.jpg")
        try video("apart.mov")
        try still("beside.jpg", "0" + Self.other.dropFirst())
        try video("beside.mov", Self.other)
        try still("owner.jpg", Self.other)
        let animation = try runProgram(
            "/usr/bin/env",
            [
                "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                "testsrc=size=32x24:rate=3:duration=1", photos + "/moving.gif",
            ])
        try #require(animation.status == 0, "\(animation.errors)")
        let command = ["apply", photos, "--to", out, "--size", "8x8", "--json"] + sepia
        let planned = try bench.run(command + ["--dry-run"])
        #expect(!FileManager.default.fileExists(atPath: out))
        try expectNoTraces()
        let done = try bench.run(command)
        #expect(planned.status == 0 && done.status == 0, "\(planned)\n\(done)")
        #expect(try rowsWithoutFiles(planned) == rowsWithoutFiles(done))
        for words in ["moving.gif: ", "without --format"] {
            let lines = [planned, done].map { result in
                result.errors.split(separator: "\n").filter { $0.contains(words) }.sorted()
            }
            #expect(!lines[1].isEmpty && lines[0] == lines[1], "\(planned)\n\(done)")
        }
        #expect(!planned.errors.contains("use revert"), "\(planned.errors)")
    }

    /// The rows by their paths, without the rendered files, which a dry run does not know.
    private func rowsWithoutFiles(_ result: ProcessResult) throws -> [String: NSDictionary] {
        try result.objects.reduce(into: [:]) { rows, row in
            var row = row
            row["files"] = nil
            rows[try #require(row["path"] as? String)] = NSDictionary(dictionary: row)
        }
    }

    @Test("--dry-run rejects folders and options that the real run rejects")
    func dryRunOfBadOptions() throws {
        try makeTree()
        let file = try bench.folder.write(Data("x".utf8), to: "file")
        let link = bench.folder.file("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: bench.folder.file("missing"))
        // The superuser may write to /proc and /sys, but cannot create files there.
        let rejected: [([String], Int32)] = [
            (["--to", file], 73), (["--to", file + "/out"], 73), (["--to", ""], 73),
            (["--to", "/proc/out"], 73), (["--to", "/sys/out/in"], 73),
            (["--to", "/sys/kernel"], 73),
            (["--to", link], 73), (["--to", link + "/out"], 73),
            (["--to", out, "--format", "png", "--quality", "50"], 64),
        ]
        for (options, status) in rejected {
            for last in [["--dry-run"], []] {
                let result = try bench.run(["apply", photos] + sepia + options + last)
                #expect(result.status == status, "\(options + last): \(result.errors)")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test("--dry-run reports damaged files like the real run")
    func dryRunOfDamagedFile() throws {
        try makeTree()
        try bench.folder.write(
            TestPicture.gradient(seed: 9).encoded().prefix(60), to: "photos/bad.png")
        let command = ["apply", photos, "--to", out, "--keep-going", "--json"] + sepia
        let planned = try bench.run(command + ["--dry-run"])
        #expect(!FileManager.default.fileExists(atPath: out))
        let done = try bench.run(command)
        #expect(planned.status == 1 && done.status == 1, "\(planned)")
        #expect(try outcomes(planned.objects) == outcomes(done.objects))
        #expect(try outcomes(planned.objects).contains("bad.png failed"))
    }

    @Test("a read-only input folder and another library in the environment are left alone")
    func readOnly() throws {
        let picture = try bench.picture()
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: picture)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: photos)
        defer {
            try? FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: photos)
        }
        let rows = try apply(sepia + [photos, "--library", "/nowhere/at/all"])
        #expect(statuses(rows) == ["written"])
        try expectNoTraces()
    }

    @Test("a signal removes the temporary files", arguments: [SIGINT, SIGTERM])
    func interrupted(number: Int32) throws {
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        try bench.assumeReproducing()
        let command = try RunningCommand(
            bench,
            [
                "apply", try bench.picture(), "--to", out, "--with", "adder", "--set", "amount=7",
                "--set", "mode=wait",
            ])
        try command.waitUntilWaiting()
        command.send(number)
        #expect(try command.status() == 128 + number)
        #expect(command.output.contains("cancelled; 0 written and kept"), "\(command.output)")
        #expect(command.leftFolders.isEmpty)
        #expect(try files(out).isEmpty)
    }

    @Test("wrong usage is rejected")
    func usage() throws {
        let picture = try bench.picture()
        let wrong: [([String], String)] = [
            ([], "Give an edit"), (["--set", "a=1", "--preset", "b"], "--with"),
            (sepia + ["--name", "{id}"], "{id}"), (sepia + ["--sharpen", "low"], "--size"),
            (["--preset", "nothing"], "there is no preset"),
        ]
        for (options, words) in wrong {
            let result = try bench.run(["apply", picture, "--to", out] + options)
            #expect(result.status == 64, "\(options): \(result)")
            #expect(result.errors.contains(words), "\(options): \(result.errors)")
        }
        #expect(try bench.run(["apply", "--to", out] + sepia).status == 64)
        #expect(!FileManager.default.fileExists(atPath: out))
    }
}
