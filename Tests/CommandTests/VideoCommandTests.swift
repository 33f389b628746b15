// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of commands for videos.
@Suite("video commands")
struct VideoCommandTests {
    private let bench: Workbench
    private let id: String
    private let path: String

    init() throws {
        bench = try Workbench(extensions: ["CropRotate", "SepiaFilter", "Trim"])
        path = bench.folder.file("clip.mov")
        try TestVideo.make(path, size: "160x120", seconds: 2, ["-bf", "2"])
        id = try #require(try bench.json("import", path).first?["id"] as? String)
    }

    private func export(_ arguments: String...) throws -> TestVideo.Description {
        let folder = bench.folder.file("out-\(UUID().uuidString)")
        let result = try bench.run(["export", id, "--to", folder] + arguments + ["--json"])
        try #require(result.status == 0, "\(result.errors)")
        let line = try #require(try result.objects.first)
        return try TestVideo.probe(try #require(line["path"] as? String))
    }

    @Test("export of all copies videos unchanged if size and format apply only to photos")
    func amongPhotos() throws {
        _ = try bench.importPicture()
        let folder = bench.folder.file("mixed")
        let result = try bench.run(
            "export", "--all", "--size", "8x8", "--format", "jpeg", "--to", folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.errors.contains("1 video was written without --format"), "\(result.errors)")
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: folder + "/clip.mov"))
                == Data(contentsOf: URL(fileURLWithPath: path)))
        // Options that apply only to photos do not cause a video to be exported again.
        let again = try bench.json("export", "--all", "--to", folder)
        let video = again.first { $0["id"] as? String == id }
        #expect(video?["reason"] as? String == "unchanged", "\(again)")
        // For a video given explicitly, `--size` is an error.
        #expect(try bench.run("export", id, "--size", "8x8", "--to", folder).status != 0)
        let inside = try bench.run(
            "frames", id, "--every", "1s", "--to", bench.folder.file("Photos.editlibrary/new"))
        #expect(inside.status == 64 && inside.errors.contains("inside a library"), "\(inside)")
    }

    @Test("losses of a video edit are reported before and after it")
    func losses() throws {
        let two = bench.folder.file("two.mov")
        try TestVideo.run([
            "-i", path, "-i", path, "-map", "0:v", "-map", "0:a", "-map", "1:v", "-c", "copy", two,
        ])
        let cover = bench.folder.file("cover.mp4")
        let picture = bench.folder.file("cover.png")
        try TestVideo.run(["-i", path, "-frames:v", "1", picture])
        try TestVideo.run([
            "-i", path, "-i", picture, "-map", "0", "-map", "1", "-c", "copy", "-c:v:1", "png",
            "-disposition:v:1", "attached_pic", cover,
        ])
        for (file, name, words) in [
            (two, "its other video track", "its other video track is omitted"),
            (cover, "its cover", "its cover, a picture in the file, is omitted"),
        ] {
            let id = try #require(try bench.json("import", file).first?["id"] as? String)
            let early = "edited versions of this video do not include \(name)"
            let preview = try bench.run(
                "preview", id, "--with", "sepia", "--output", bench.folder.file("\(id).png"))
            #expect(preview.status == 0 && preview.errors.contains(early), "\(preview)")
            let edited = try bench.run("edit", id, "--with", "sepia")
            let before = edited.errors.range(of: early)
            let after = edited.errors.range(of: words)
            #expect(edited.status == 0 && before != nil && after != nil, "\(edited)")
            if let before, let after { #expect(before.upperBound < after.lowerBound) }
            // Without a library, there is nothing to revert.
            let applied = try bench.run(
                "apply", file, "--with", "sepia", "--to", bench.folder.file("applied"))
            #expect(applied.status == 0 && applied.errors.contains(words), "\(applied)")
            #expect(!applied.errors.contains("revert"), "\(applied)")
        }
        #expect(try bench.run("edit", id, "--with", "sepia").errors.isEmpty)
    }

    @Test("export encodes with the given codec, rate factor, height and preset")
    func exported() throws {
        _ = try bench.json("edit", id, "--with", "sepia")
        #expect(try export().codec == "h264")
        let hevc = try export("--video-codec", "hevc", "--encoder-preset", "ultrafast")
        #expect(hevc.codec == "hevc" && hevc.width == 160)
        let small = try export("--height", "60", "--crf", "40")
        #expect(try export("--video-codec", "h264", "--crf", "0").codec == "h264")
        #expect(small.codec == "h264" && small.width == 80 && small.height == 60)
        #expect(try export("--height", "600").height == 120)
        #expect(try export("--version", "unadjusted", "--video-codec", "hevc").codec == "hevc")
        let original = try bench.run(
            "export", id, "--version", "original", "--to", bench.folder.file("original"))
        #expect(original.status == 0)
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: bench.folder.file("original/clip.mov")))
                == Data(contentsOf: URL(fileURLWithPath: path)))
        for wrong in [
            ["--crf", "52"], ["--height", "3"], ["--video-codec", "copy", "--crf", "20"],
            ["--encoder-preset", "quick"], ["--version", "original", "--height", "60"],
            ["--format", "png"],
        ] {
            let result = try bench.run(
                ["export", id, "--to", bench.folder.file("wrong")] + wrong)
            #expect(result.status != 0, "\(wrong)")
            #expect(!result.errors.isEmpty, "\(wrong)")
        }
    }

    @Test("frames writes one picture per interval and reports it; a photo has none")
    func frames() throws {
        let folder = bench.folder.file("frames")
        let lines = try bench.json(
            "frames", id, "--every", "500ms", "--to", folder, "--format", "png")
        #expect(lines.compactMap { $0["time"] as? Double } == [0, 0.5, 1, 1.5])
        let frames = try TestVideo.frames(path)
        for (line, index) in zip(lines, [0, 12, 25, 37]) {
            let file = try #require(line["path"] as? String)
            let picture = try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: file)))
            #expect(picture.width == 160 && picture.height == 120)
            // ffmpeg assumes centred chroma, so edges differ; the neighbouring frames differ more.
            let ratios = frames.map { TestVideo.ratio(picture.samples, $0) }
            #expect(ratios[index] > 22 && ratios.max() == ratios[index], "\(index): \(ratios)")
        }
        let text = try bench.run("frames", id, "--every", "1s", "--to", folder).output
        #expect(text.split(separator: "\n").last?.hasSuffix("  1.0 s") == true, "\(text)")
        let picture = try bench.importPicture()
        #expect(try bench.run("frames", picture, "--every", "1s", "--to", folder).status == 69)
        for wrong in ["0", "-1", "x", ""] {
            #expect(
                try bench.run("frames", id, "--every", wrong, "--to", folder).status != 0,
                "\(wrong)")
        }
    }

    @Test(
        "show prints a video's codecs, rate and sound as ffprobe does; a photo has none"
    )
    func facts() throws {
        let path = bench.folder.file("loud.mp4")
        try TestVideo.make(
            path, size: "64x64", seconds: 1,
            [
                "-map", "0:v", "-map", "1:a", "-map", "1:a", "-c:v", "mpeg4", "-r", "30000/1001",
                "-c:a", "aac",
            ])
        let expected = try TestVideo.probe(path)
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        let video = try #require(try bench.json("show", id).first?["video"] as? [String: Any])
        #expect(video["codec"] as? String == expected.codec && expected.codec == "mpeg4")
        #expect(video["audioCodec"] as? String == expected.audioCodec)
        #expect(abs(try #require(video["frameRate"] as? Double) - 30000.0 / 1001) < 0.01)
        #expect(video["audioTracks"] as? Int == 2 && video["frameCount"] as? Int == 30)
        let text = try bench.run("show", id).output
        #expect(text.contains("mpeg4, 29.97 frames per second, 30 frames\n"), "\(text)")
        #expect(text.contains("  aac, 2 tracks\n"), "\(text)")
        let picture = try bench.importPicture()
        #expect(try bench.json("show", picture).first?["video"] is NSNull)
        #expect(try !bench.run("show", picture).output.contains("sound"))
    }

    @Test(
        "-no-location and --metadata remove metadata from a video and copy its frames",
        arguments: ["clip.mov", "clip.mp4", "clip.mkv", "clip.webm", "clip.avi"])
    func exportedMetadata(name: String) throws {
        let path = bench.folder.file("tagged-\(name)")
        let codecs =
            name.hasSuffix("webm")
            ? ["-c:v", "libvpx", "-cpu-used", "8", "-c:a", "libopus"]
            : name.hasSuffix("mkv")
                // The decoding order of the frames differs from their display order.
                ? ["-c:v", "libx264", "-bf", "3", "-c:a", "aac"]
                : ["-c:v", "mpeg4", "-c:a", "mp2"]
        try TestVideo.make(
            path, size: "64x64", seconds: 1,
            codecs + [
                "-movflags", "use_metadata_tags", "-metadata", "title=Home", "-metadata",
                "copyright=Ada", "-metadata", "location=+47.3000+008.5000/", "-metadata",
                "latitude=47.3", "-metadata", "city=8.5", "-metadata",
                "com.apple.quicktime.location.ISO6709=+47.3000+008.5000/",
            ])
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        let frames = try TestVideo.frames(path)
        for (options, kept, gone) in [
            (["--no-location"], ["home", "ada"], ["47.3", "8.5"]),
            (["--metadata", "copyright"], ["ada"], ["47.3", "8.5", "home"]),
            (["--metadata", "none"], [], ["47.3", "8.5", "home", "ada"]),
        ] {
            let folder = bench.folder.file(options.joined())
            let made = try bench.json(["export", id, "--to", folder] + options)
            let copy = try #require(made.first?["path"] as? String)
            #expect(try TestVideo.frames(copy) == frames, "\(options)")
            // AVI cannot store the copyright under the name that FFmpeg uses.
            let tags = try TestVideo.tags(copy).lowercased()
            let told = try TestVideo.tags(path).lowercased()
            for word in kept where told.contains(word) {
                #expect(tags.contains(word), "\(options): \(tags)")
            }
            for word in gone { #expect(!tags.contains(word), "\(options): \(tags)") }
            let ending = ["webm": ".mkv", "avi": ".mov"].first { name.hasSuffix($0.key) }?.value
            #expect(copy.hasSuffix(ending ?? String(name.dropFirst(4))), "\(copy)")
        }
        #expect(try TestVideo.tags(path).lowercased().contains("home"))
    }

    @Test("a Matroska video with longer sound passes check, also after an edit")
    func longerSound() throws {
        for (name, frames, codecs) in [
            ("one.mkv", "1", ["-c:v", "libx264", "-c:a", "aac"]),
            ("some.mkv", "30", ["-c:v", "libx264", "-c:a", "aac"]),
            ("one.webm", "1", ["-c:v", "libvpx-vp9", "-c:a", "libopus"]),
        ] {
            let path = bench.folder.file(name)
            try TestVideo.run(
                [
                    "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=2", "-f", "lavfi",
                    "-i", "sine=duration=6", "-frames:v", frames,
                ] + codecs + [path])
            let id = try #require(try bench.json("import", path).first?["id"] as? String)
            let edited = try bench.run("edit", id, "--with", "sepia")
            #expect(edited.status == 0, "\(name): \(edited.errors)")
        }
        let checked = try bench.run("check", "--read-data", "100")
        #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
    }

    @Test("of several video tracks the main one is kept, as edit and copy report")
    func severalTracks() throws {
        let path = bench.folder.file("two.mov")
        try TestVideo.make(
            path, size: "64x64", seconds: 1, ["-map", "0:v", "-map", "0:v", "-map", "1:a"])
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        let words = "its other video track is omitted"
        let folder = bench.folder.file("single")
        for arguments in [
            ["export", id, "--no-location", "--to", folder], ["edit", id, "--with", "sepia"],
            ["edit", id, "--with", "trim", "--set", "end=0.5"],
        ] {
            let result = try bench.run(arguments)
            #expect(result.status == 0 && result.errors.contains(words), "\(result)")
        }
        #expect(try bench.run("check", "--read-data", "100").status == 0)
    }

    @Test("if a video cannot be copied, the message suggests encoding, which then works")
    func uncopied() throws {
        let path = bench.folder.file("untimed.avi")
        try TestVideo.make(
            path, size: "64x64", seconds: 1, ["-c:v", "mpeg4", "-bf", "2", "-c:a", "mp2"])
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        let folder = bench.folder.file("uncopied")
        let refused = try bench.run("export", id, "--no-location", "--to", folder)
        #expect(refused.status == 64 && refused.errors.contains("--video-codec"), "\(refused)")
        let made = try bench.run(
            "export", id, "--no-location", "--video-codec", "h264", "--to", folder)
        #expect(made.status == 0, "\(made.errors)")
    }

    @Test("videos whose metadata cannot be removed fail, and other files are exported")
    func uncopiedAmongOthers() throws {
        for (name, codecs) in [
            ("a.wmv", ["-c:v", "wmv2", "-c:a", "wmav2"]),
            ("b.mpg", ["-c:v", "mpeg2video", "-c:a", "mp2"]),
        ] {
            let path = bench.folder.file("tree/" + name)
            try FileManager.default.createDirectory(
                atPath: bench.folder.file("tree"), withIntermediateDirectories: true)
            try TestVideo.make(path, size: "64x64", seconds: 1, codecs)
            _ = try bench.json("import", path)
        }
        _ = try bench.importPicture()
        let folder = bench.folder.file("mixed")
        for options in [["--dry-run"], []] {
            let result = try bench.run(
                ["export", "--all", "--metadata", "none", "--to", folder, "--json"] + options)
            #expect(result.status == 1, "\(result.errors)")
            let rows = try result.objects
            #expect(rows.count == 4, "\(rows)")
            let codes = rows.compactMap { $0["errorCode"] as? String }
            #expect(codes == ["badRequest", "badRequest"], "\(rows)")
            #expect(rows.count { $0["path"] is String } == 2, "\(rows)")
        }
        #expect(try ExportedFiles.names(in: folder).count == 2)
    }

    @Test("a location removed in the library is absent from an exported edited video")
    func hiddenPlace() throws {
        let path = bench.folder.file("placed.mp4")
        try TestVideo.make(
            path, size: "64x64", seconds: 1, ["-metadata", "location=+47.3000+008.5000/"])
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        _ = try bench.json("edit", id, "--with", "sepia")
        func tags(_ folder: String) throws -> String {
            let made = try bench.json("export", id, "--to", bench.folder.file(folder))
            return try TestVideo.tags(try #require(made.first?["path"] as? String))
        }
        #expect(try tags("with").contains("47.3"))
        #expect(try bench.run("set", id, "--location", "none").status == 0)
        #expect(try !tags("without").contains("47.3"))
    }

    @Test("-height applies to the rotated, cropped video, and its pixels match ffmpeg")
    func height() throws {
        _ = try bench.json("edit", id, "--with", "croprotate", "--set", "turns=1")
        let folder = bench.folder.file("turned")
        let made = try bench.json("export", id, "--height", "80", "--crf", "0", "--to", folder)
        let copy = try #require(made.first?["path"] as? String)
        let size = try TestVideo.probe(copy)
        // 160×120, which is 120×160 upright.
        #expect(size.width == 60 && size.height == 80)
        let reference = bench.folder.file("reference.mkv")
        try TestVideo.run([
            "-i", path, "-vf", "transpose=clock,scale=60:80:flags=bicubic", "-c:v", "ffv1",
            "-pix_fmt", "bgr0", reference,
        ])
        let expected = try TestVideo.frames(reference)
        let frames = try TestVideo.frames(copy)
        #expect(frames.count == expected.count)
        for (index, pair) in zip(frames, expected).enumerated() {
            // Chroma differs from ffmpeg's at edges; a wrong rotation gives 9.
            #expect(TestVideo.ratio(pair.0, pair.1) > 18, "frame \(index)")
        }
        _ = try bench.json(
            "edit", id, "--with", "croprotate", "--set", "crop=0.25,0.25,0.5,0.5")
        let cropped = try export("--height", "60")
        #expect(cropped.height == 60, "\(cropped)")
    }

    @Test("cancelling frames keeps and counts those already written")
    func cancelledFrames() throws {
        let folder = bench.folder.file("frames")
        let command = try RunningCommand(bench, ["frames", id, "--every", "1ms", "--to", folder])
        let second = folder + "/clip-00002.jpg"
        for _ in 0..<6000 where !FileManager.default.fileExists(atPath: second) { usleep(10_000) }
        command.send(SIGINT)
        #expect(try command.status() == 130)
        let lines = command.output.split(separator: "\n").map(String.init)
        let count = lines.count { $0.contains(".jpg  ") }
        #expect(count >= 2)
        #expect(lines.last?.hasSuffix("cancelled; \(count) written and kept") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == count)
    }

    @Test("preview --time rejects a photo; a time past the end gives the last frame and reports it")
    func timeOfPreview() throws {
        let (last, after) = (bench.folder.file("last.png"), bench.folder.file("after.png"))
        for (time, path) in [("1.96", last), ("1:30", after)] {
            let result = try bench.run(
                "preview", id, "--with", "sepia", "--time", time, "--output", path)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors.contains("s long; this is its last frame") == (path == after))
        }
        #expect(
            try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: last)))
                == TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: after))))
        let picture = try bench.importPicture()
        let none = bench.folder.file("none.png")
        let result = try bench.run(
            "preview", picture, "--with", "sepia", "--time", "1s", "--output", none)
        #expect(result.status == 64 && result.errors.contains("only videos"))
        #expect(!FileManager.default.fileExists(atPath: none))
    }

    @Test("P-08 an edited video's duration is shown; preview shows the frame at a time")
    func lengths() throws {
        _ = try bench.json("edit", id, "--with", "trim", "--set", "start=0.5", "--set", "end=1.5")
        #expect(try bench.json("show", id).first?["duration"] as? Double == 1)
        let output = bench.folder.file("preview.png")
        let result = try bench.run(
            "preview", id, "--with", "sepia", "--set", "intensity=0", "--time", "1.48", "--output",
            output)
        #expect(result.status == 0, "\(result.errors)")
        _ = try bench.json("undo", id)
        #expect(abs((try bench.json("show", id).first?["duration"] as? Double ?? 0) - 2) < 0.05)
    }
}
