// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// HEIC and GIF files whose metadata is replaced without re-encoding.
@Suite("HEIC and GIF rewriting")
struct OtherRewritingTests {
    private static let places = [
        "-EXIF:GPSLatitude=36.1125", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=115.17",
        "-EXIF:GPSLongitudeRef=W", "-XMP-photoshop:City=Reykjavik",
    ]

    private func isPlace(_ tag: String) -> Bool {
        tag.contains("GPS") || tag.contains("City") || tag.hasPrefix("Composite:")
    }

    // MARK: - HEIC

    @Test("removing the location of a HEIC keeps all other bytes and the file length")
    func heicPlace() throws {
        let tags = Self.places + ["-EXIF:Make=Maker", "-XMP-dc:Title=A title"]
        let tool = try ExifTool()
        let original = try tool.tagging(try PictureFacts.picture("heic"), "heic", tags)
        let file = try TestFile(
            MotionPhotoFile.rewritten(original.bytes, MetadataChanges(), .heic, omitted: .location))
        let (before, after) = (try tool.read(original), try tool.read(file))
        #expect(before["XMP-photoshop:City"] == "Reykjavik")
        #expect(!after.keys.contains { $0.contains("GPS") || $0.contains("City") }, "\(after)")
        #expect(after["IFD0:Make"] == "Maker" && after["XMP-dc:Title"] == "A title")
        #expect(file.bytes.count == original.bytes.count)
        #expect(try file.image().pixels() == original.image().pixels())
    }

    @Test("new properties are appended to a HEIC")
    func heicFacts() throws {
        let tool = try ExifTool()
        let tags = ["-EXIF:Make=Maker", "-XMP-dc:Title=Old", "-XMP-dc:Creator=Somebody"]
        let original = try tool.tagging(try PictureFacts.picture("heic"), "heic", tags)
        var changes = MetadataChanges()
        changes.title = .set(String(repeating: "New ", count: 50) + "title")
        changes.location = .set(try #require(Location(latitude: -37.5, longitude: 12.25)))
        changes.rating = .set(4)
        let file = try TestFile(MotionPhotoFile.rewritten(original.bytes, changes, .heic))
        let after = try tool.read(file)
        #expect(after["XMP-dc:Title"]?.hasPrefix("New New") == true)
        #expect(after["XMP-xmp:Rating"] == "4" && after["XMP-dc:Creator"] == "Somebody")
        #expect(after["Composite:GPSLatitude"].flatMap { Double($0) } == -37.5)
        #expect(after["IFD0:Make"] == "Maker" && !after.keys.contains { $0.hasSuffix(":Warning") })
        #expect(try file.image().pixels() == original.image().pixels())
        let facts = try PictureFacts.of(file)
        #expect(facts.metadata?.title?.hasPrefix("New New") == true && facts.metadata?.rating == 4)
        // A file without any metadata has no place for the changes.
        let plain = try PictureFacts.picture("heic")
        guard
            case .failed(let failure) = try MotionPhotoFile.rewrite(plain, changes, .heic).reply
        else { throw TestRunner.Failed("written") }
        #expect(failure.code == .badInput)
    }

    @Test("data moved within a HEIC is erased at its old offset")
    func heicRest() throws {
        let tags = Self.places + ["-XMP-dc:Title=Old", "-EXIF:ImageDescription=short"]
        let original = try ExifTool().tagging(try PictureFacts.picture("heic"), "heic", tags)
        var changes = MetadataChanges()
        changes.title = .set(String(repeating: "long ", count: 40) + "title")
        changes.descriptionText = .set(String(repeating: "long ", count: 40) + "text")
        let file = try MotionPhotoFile.rewritten(
            original.bytes, changes, .heic, omitted: .location)
        #expect(file.count > original.bytes.count)
        #expect(original.bytes.firstRange(of: Array("Reykjavik".utf8)) != nil)
        for word in ["Reykjavik", "GPSLatitude"] {
            #expect(file.firstRange(of: Array(word.utf8)) == nil, "\(word)")
        }
        // ExifTool finds no position, wherever the EXIF block is.
        let tag = try ExifTool().read(try TestFile(file))
        #expect(!tag.keys.contains { $0.contains("GPS") })
        #expect(try TestFile(file).image().pixels() == original.image().pixels())
    }

    @Test("phone HEICs lose their location, including their videos'", .corpus)
    func heicOfPhones() throws {
        let tool = try ExifTool()
        for name in ["IMG_7943.HEIC", "iphone15promax_ios26.HEIC", "samsung-one-ui-6.heic"] {
            let bytes = try TestFile(path: try Corpus.path("cameras/\(name)")).bytes
            let original = try TestFile(bytes)
            let file = try TestFile(
                MotionPhotoFile.rewritten(bytes, MetadataChanges(), .heic, omitted: .location))
            let (before, after) = (try tool.read(original), try tool.read(file))
            #expect(!after.keys.contains { $0.contains("GPS") }, "\(name)")
            let names = [
                "MediaDataOffset", "MediaDataSize", "EmbeddedVideo", "MotionPhoto", "Directory",
                "XMPToolkit",
            ]
            for (tag, value) in before
            where MetadataComparison.isOther(tag) && !isPlace(tag)
                && !["Samsung:", "Track", "QuickTime:Media"].contains(where: tag.hasPrefix)
                && !names.contains(where: { tag.contains($0) })
            {
                #expect(after[tag] == value, "\(name): \(tag)")
            }
            #expect(file.bytes.firstRange(of: Array("mpvd".utf8)) == nil)
            #expect(try Self.drawn(file) == Self.drawn(original), "\(name)")
        }
    }

    /// The pixels of a file, rendered by a runner because libvips alone may not open it.
    private static func drawn(_ file: TestFile) throws -> [UInt8] {
        let output = try TestFile()
        var settings = EncodeSettings(format: .png, size: PixelSize(width: 800, height: 800))
        settings.omittedMetadata = .all
        let job = RenderJob(input: RenderInput(base: .encoded(.heic)), output: .encoded(settings))
        let reply = try withExtendedLifetime((file, output)) {
            try TestRunner().request(.run(job), [(.base, file.number), (.output, output.number)])
        }
        guard case .rendered = reply else { throw unexpected(reply) }
        return try output.image().pixels()
    }

    @Test("a HEIC that may hold the location elsewhere, or loses all metadata, is encoded")
    func heicRefused() throws {
        let tags = Self.places + ["-XMP-dc:Title=A title"]
        let original = try ExifTool().tagging(try PictureFacts.picture("heic"), "heic", tags).bytes
        let moving = original + FileNumber.big(16, 4) + Array("moovfreefree".utf8)
        for (bytes, omitted) in [
            (moving, EncodeSettings.OmittedMetadata.location), (original, .all),
            (original, .allButCopyright), (Array(original.prefix(300)), .location),
        ] {
            guard
                case .failed(let failure) = try MotionPhotoFile.rewrite(
                    bytes, MetadataChanges(), .heic, omitted: omitted
                ).reply
            else { throw TestRunner.Failed("written") }
            #expect(failure.code == .badInput)
        }
    }

    // MARK: - GIF

    /// An animation with a comment, XMP and a block of an unknown program.
    private static func animation() throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = folder.file("a.gif")
        let made = try runProgram(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=32x24:rate=5",
                "-frames:v", "4", path,
            ])
        #expect(made.status == 0, "\(made.errors)")
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let unknown: [UInt8] = [0x21, 0xFF, 11] + Array("NOBODYKNOWS".utf8) + [3, 1, 2, 3, 0]
        return try ExifTool().tagging(
            Array(bytes.dropLast()) + unknown + [0x3B], "gif",
            [
                "-Comment=Reykjavik harbour", "-XMP-photoshop:City=Reykjavik",
                "-XMP-dc:Title=Boats",
                "-XMP-dc:Rights=Somebody's",
            ]
        ).bytes
    }

    @Test(
        "metadata is removed from a GIF, and its frames stay",
        arguments: [EncodeSettings.OmittedMetadata.all, .allButCopyright, .location])
    func gif(_ omitted: EncodeSettings.OmittedMetadata) throws {
        let original = try Self.animation()
        let file = try MotionPhotoFile.rewritten(
            original, MetadataChanges(), .gif, omitted: omitted)
        let tags = try ExifTool().read(try TestFile(file))
        #expect(tags["GIF:FrameCount"] == "4" && tags["GIF:AnimationIterations"] != nil)
        #expect(tags["XMP-dc:Title"] == (omitted == .location ? "Boats" : nil))
        #expect(tags["XMP-dc:Rights"] == (omitted == .all ? nil : "Somebody's"))
        for word in ["Reykjavik", "NOBODYKNOWS"] {
            #expect(file.firstRange(of: Array(word.utf8)) == nil)
        }
        #expect(try Self.frames(of: file) == Self.frames(of: original))
    }

    /// The frames with their times, as read by an independent program.
    private static func frames(of bytes: [UInt8]) throws -> String {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(bytes), to: "a.gif")
        let result = try runProgram(
            "/usr/bin/env", ["ffmpeg", "-v", "error", "-i", path, "-f", "framemd5", "-"])
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    @Test("a truncated or invalid GIF is encoded; random bytes are harmless")
    func brokenGIF() throws {
        let original = try Self.animation()
        var generator = SeededGenerator(seed: TestSeed.seed())
        let runner = try TestRunner()
        for count in [original.count - 1, original.count / 2, 20] {
            let (reply, _) = try MotionPhotoFile.rewrite(
                Array(original.prefix(count)), MetadataChanges(), .gif, runner, omitted: .all)
            guard case .failed = reply else { throw unexpected(reply) }
        }
        for _ in 0..<200 {
            var bytes = original
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            // The result is a file or a failure, and the runner answers the next request.
            _ = try MotionPhotoFile.rewrite(
                bytes, MetadataChanges(), .gif, runner, omitted: .location)
        }
    }
}
