// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `edithost convert-live` and of the pairs that `export` writes.
@Suite("converting Live Photos")
struct ConvertLiveTests {
    private static let identifier = "C3754624-A05F-474D-9F16-E9C47B5F892D"
    private let bench: Workbench

    init() throws { bench = try Workbench(extensions: ["SepiaFilter"]) }

    private func exiftool(_ tag: String, _ path: String) throws -> String {
        try runProgram("/usr/bin/env", ["exiftool", "-n", "-s3", "-\(tag)", path]).output
            .trimmingCharacters(in: .newlines)
    }

    private func pixels(_ path: String) throws -> TestPicture {
        try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func files(_ results: [[String: Any]]) throws -> [String] {
        try #require(results.first?["files"] as? [String])
    }

    @Test(
        "a pair converts to a Motion Photo and back with identical pixels, frames and sound"
    )
    func roundTrip() throws {
        let (still, video) = (bench.folder.file("a.jpg"), bench.folder.file("a.mov"))
        try TestLivePhoto.makeStill(still, Self.identifier)
        try TestLivePhoto.makeVideo(video, Self.identifier)
        let motion = try files(
            bench.json(
                "convert-live", video, still, "--to", "motion", "--output",
                bench.folder.file("motion")))
        #expect(motion.count == 1)
        #expect(try exiftool("MotionPhoto", motion[0]) == "1")
        #expect(try pixels(motion[0]) == pixels(still))
        let pair = try files(
            bench.json(
                "convert-live", motion[0], "--to", "pair", "--output", bench.folder.file("pair")))
        #expect(pair.count == 2 && pair[1].hasSuffix("/a.mov"))
        #expect(try pixels(pair[0]) == pixels(still))
        #expect(try exiftool("MotionPhoto", pair[0]).isEmpty)
        #expect(try exiftool("Apple:all", pair[0]) == Self.identifier)
        #expect(try exiftool("Keys:ContentIdentifier", pair[1]) == Self.identifier)
        #expect(try TestVideo.times(pair[1]) == TestVideo.times(video))
        #expect(try TestVideo.sound(pair[1]) == TestVideo.sound(video))
        #expect(try TestVideo.ratios(pair[1], to: video, filter: "null").allSatisfy { $0 == 100 })
        // No library is created.
        let home = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
        #expect(!home.contains { $0.hasSuffix(".editlibrary") }, "\(home)")
    }

    @Test("files without an identifier get a deterministic one, and an MP4 becomes a MOV")
    func unmarked() throws {
        let (still, video) = (bench.folder.file("b.jpg"), bench.folder.file("b.mp4"))
        try TestPicture.gradient(width: 64, height: 48).encoded("jpeg")
            .write(to: URL(fileURLWithPath: still))
        try TestVideo.make(video, size: "64x48", seconds: 1, [])
        var found: Set<String> = []
        for folder in ["one", "two"] {
            let pair = try files(
                bench.json(
                    "convert-live", still, video, "--to", "pair", "--output",
                    bench.folder.file(folder)))
            #expect(pair[1].hasSuffix("/b.mov"))
            let identifier = try exiftool("Keys:ContentIdentifier", pair[1])
            #expect(try exiftool("MakerNotes:all", pair[0]) == identifier)
            #expect(UUID(uuidString: identifier) != nil, "\(identifier)")
            #expect(try pixels(pair[0]) == pixels(still))
            #expect(try TestVideo.times(pair[1]) == TestVideo.times(video))
            found.insert(identifier)
        }
        #expect(found.count == 1)
    }

    @Test(
        "files that are not Live Photos are reported and left alone; the others are converted"
    )
    func refused() throws {
        let folder = bench.folder.file("in")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try TestLivePhoto.makeStill("\(folder)/a.jpg", Self.identifier)
        try TestLivePhoto.makeVideo("\(folder)/a.mov", Self.identifier)
        let picture = "\(folder)/plain.jpg"
        try TestPicture.gradient().encoded("jpeg").write(to: URL(fileURLWithPath: picture))
        let video = bench.folder.file("alone.mp4")
        try TestVideo.make(video, size: "64x48", seconds: 1, [])
        let output = bench.folder.file("out")
        let all = try bench.run("convert-live", folder, "--to", "motion", "--output", output)
        #expect(all.status == 0 && all.errors.isEmpty, "\(all.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: output) == ["a.jpg"])
        let some = try bench.run(
            "convert-live", "\(folder)/a.jpg", "\(folder)/a.mov", picture, video, "--to", "motion",
            "--output", output)
        #expect(some.status == 1)
        #expect(some.errors.contains("plain.jpg is not part of a Live Photo: its video is missing"))
        #expect(
            some.errors.contains("alone.mp4 is not part of a Live Photo: its picture is missing"))
        let none = try bench.run("convert-live", picture, "--to", "pair", "--output", output)
        #expect(none.status == 69, "\(none.errors)")
        let missing = try bench.run(
            "convert-live", "\(folder)/none.jpg", "--to", "pair", "--output", output)
        #expect(missing.status == 66, "\(missing.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: output).sorted()
        #expect(names == ["a-1.jpg", "a.jpg"])
        #expect(try bench.run("convert-live", picture, "--output", output).status == 64)
    }

    @Test("a Samsung HEIC and an iPhone pair convert both ways", .corpus)
    func corpus() throws {
        let samsung = try Corpus.path("cameras/samsung-one-ui-6.heic")
        let pair = try files(
            bench.json(
                "convert-live", samsung, "--to", "pair", "--output", bench.folder.file("pair")))
        #expect(pair.map { ($0 as NSString).pathExtension } == ["heic", "mov"])
        let identifier = try exiftool("Keys:ContentIdentifier", pair[1])
        #expect(try exiftool("Apple:MediaGroupUUID", pair[0]) == identifier && !identifier.isEmpty)
        // They are imported again as one Live Photo.
        let imported = try bench.json("import", bench.folder.file("pair"))
        #expect(Set(imported.compactMap { $0["id"] as? String }).count == 1)
        let iPhone = ["HEIC", "MOV"].map { "cameras/iphone15promax_ios26.\($0)" }
        let motion = try files(
            bench.json(
                "convert-live", Corpus.path(iPhone[0]), Corpus.path(iPhone[1]), "--to", "motion",
                "--output", bench.folder.file("motion")))
        #expect(try exiftool("MotionPhotoPresentationTimestampUs", motion[0]) == "1433333")
    }

    @Test("an edited Motion Photo exports as a matching pair")
    func edited() throws {
        let (still, video) = (bench.folder.file("a.jpg"), bench.folder.file("a.mov"))
        try TestLivePhoto.makeStill(still, Self.identifier)
        try TestLivePhoto.makeVideo(video, Self.identifier)
        let motion = try files(
            bench.json(
                "convert-live", video, still, "--to", "motion", "--output",
                bench.folder.file("motion")))
        try exportEdited(motion[0])
    }

    @Test("an edited Motion Photo of a phone exports as a matching pair", .corpus, .torture)
    func editedCameraFileTorture() throws {
        try exportEdited(Corpus.path("cameras/samsung-one-ui-6.heic"))
    }

    /// Exports a Motion Photo with an edit and without.
    private func exportEdited(_ motion: String) throws {
        let id = try #require(try bench.json("import", motion).first?["id"] as? String)
        #expect(try bench.run("edit", id, "--with", "sepia").status == 0)
        let folder = bench.folder.file("out")
        #expect(try bench.run("export", id, "--to", folder).status == 0)
        let names = try ExportedFiles.names(in: folder)
        let file = URL(fileURLWithPath: motion)
        let stem = file.deletingPathExtension().lastPathComponent
        #expect(names == ["\(stem).jpg", "\(stem).mov"])
        let identifier = try exiftool("Keys:ContentIdentifier", "\(folder)/\(names[1])")
        #expect(
            try exiftool("Apple:MediaGroupUUID", "\(folder)/\(names[0])") == identifier
                && !identifier.isEmpty)
        // Without edits the file is exported unchanged.
        let original = bench.folder.file("original")
        #expect(try bench.run("revert", id).status == 0)
        #expect(try bench.run("export", id, "--to", original).status == 0)
        #expect(try ExportedFiles.names(in: original) == [file.lastPathComponent])
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: "\(original)/\(file.lastPathComponent)"))
                == Data(contentsOf: file))
    }

    @Test("exporting only the still of a Motion Photo omits the video and reports it")
    func still() throws {
        let (still, video) = (bench.folder.file("a.jpg"), bench.folder.file("a.mov"))
        try TestLivePhoto.makeStill(still, Self.identifier)
        try TestLivePhoto.makeVideo(video, Self.identifier)
        let motion = try files(
            bench.json(
                "convert-live", video, still, "--to", "motion", "--output",
                bench.folder.file("motion")))
        let id = try #require(try bench.json("import", motion[0]).first?["id"] as? String)
        let folder = bench.folder.file("out")
        let alone = try #require(
            try bench.json("export", id, "--live", "still", "--to", folder).first?["path"]
                as? String)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: alone))
        #expect(bytes.range(of: Data("ftyp".utf8)) == nil)
        #expect(try pixels(alone) == pixels(still) && exiftool("MotionPhoto", alone).isEmpty)
        let withheld = try bench.run(
            "export", id, "--live", "pair", "--metadata", "none", "--to", folder)
        #expect(withheld.status == 0 && withheld.errors.contains("the motion is omitted"))
    }

    @Test("a removed location is also omitted from the exported motion video")
    func place() throws {
        let (still, video) = (bench.folder.file("a.jpg"), bench.folder.file("a.mov"))
        try TestPicture.gradient(width: 64, height: 48).encoded("jpeg")
            .write(to: URL(fileURLWithPath: still))
        let keys = "com.apple.quicktime."
        try TestVideo.make(
            video, size: "64x48", seconds: 1,
            [
                "-movflags", "use_metadata_tags", "-metadata",
                "\(keys)content.identifier=\(Self.identifier)", "-metadata",
                "\(keys)location.ISO6709=+36.5000+015.0000/",
            ])
        _ = try runProgram(
            "/usr/bin/env",
            [
                "exiftool", "-q", "-m", "-overwrite_original", "-EXIF:GPSLatitude=36.5",
                "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=15", "-EXIF:GPSLongitudeRef=E", still,
            ])
        #expect(try exiftool("GPSLatitude", still).hasPrefix("36.5"))
        let id = try #require(try bench.json("import", still, video).first?["id"] as? String)
        #expect(try bench.run("set", id, "--location", "none").status == 0)
        #expect(try bench.run("edit", id, "--with", "sepia").status == 0)
        let folder = bench.folder.file("out")
        let result = try bench.run("export", id, "--to", folder)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(
            try ExportedFiles.names(in: folder) == ["a.jpg", "a.mov"])
        let motion = try #require(
            try bench.json("export", id, "--live", "motion", "--to", folder).first?["path"]
                as? String)
        #expect(try bench.run("undo", id).status == 0)
        let plain = bench.folder.file("plain")
        #expect(try bench.run("export", id, "--no-location", "--to", plain).status == 0)
        // The unedited pair loses the location too if other options change it.
        var paths = [
            motion, "\(folder)/a.jpg", "\(folder)/a.mov", "\(plain)/a.jpg", "\(plain)/a.mov",
        ]
        for options in [["--no-people"], ["--quality", "80"], ["--size", "32x32"]] {
            let changed = bench.folder.file("changed" + (options.first ?? ""))
            let result = try bench.run(["export", id, "--to", changed] + options)
            #expect(result.status == 0, "\(result.errors)")
            paths += ["\(changed)/a.jpg", "\(changed)/a.mov"]
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: video)).range(of: spot) != nil)
        for path in paths {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(bytes.range(of: spot) == nil, "\(path)")
            #expect(try exiftool("GPSCoordinates", path).isEmpty)
        }
        #expect(try exiftool("Keys:ContentIdentifier", "\(plain)/a.mov") == Self.identifier)
        #expect(try TestVideo.times("\(plain)/a.mov") == TestVideo.times(video))
        #expect(try TestVideo.sound("\(plain)/a.mov") == TestVideo.sound(video))
    }

    /// The location of the test video in ISO 6709 notation.
    private var spot: Data { Data("+36.5".utf8) }
}
