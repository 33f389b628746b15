// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import Vips

/// Metadata of a file before and after an edit, as read by ExifTool.
@Suite struct MetadataTests {
    private static let originals = ["jpeg", "png", "tiff", "webp", "jxl", "heic"]
    private static let outputs: [MediaFormat] = [.jpeg, .png, .tiff, .webp, .jxl, .avif]

    private static let tags = [
        "-EXIF:Make=Maker", "-EXIF:Model=Model 1", "-EXIF:Artist=Åse", "-EXIF:Copyright=(c) us",
        "-EXIF:ImageDescription=A view", "-EXIF:ModifyDate=2021:01:01 00:00:00",
        "-EXIF:DateTimeOriginal=2020:02:29 23:59:58", "-EXIF:SubSecTimeOriginal=25",
        "-EXIF:OffsetTimeOriginal=+05:30", "-EXIF:FNumber=2.8", "-EXIF:ExposureTime=0.004",
        "-EXIF:LensModel=50mm f/1.8", "-EXIF:UserComment=nothing special",
        "-EXIF:ExifImageWidth=64", "-EXIF:ExifImageHeight=48",
        "-EXIF:GPSLatitude=36.1125", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=115.17",
        "-EXIF:GPSLongitudeRef=W", "-EXIF:GPSAltitude=610.5", "-EXIF:Orientation=6",
        "-XMP-dc:Title=A title", "-XMP-tiff:Orientation=6", "-XMP-tiff:ImageWidth=64",
        "-XMP-tiff:ImageHeight=48", "-XMP-exif:ExifImageWidth=64",
        "-XMP-exif:ExifImageHeight=48", "-XMP-xmp:Rating=4",
    ]
    private static let iptc = [
        "-IPTC:City=Reykjavik", "-IPTC:Keywords=one", "-IPTC:Keywords=three",
    ]
    private static let hasIPTC: Set<String> = ["jpeg", "png", "tiff"]

    private static let kept: [String: String] = [
        "IFD0:Make": "Maker", "IFD0:Model": "Model 1", "IFD0:Artist": "Åse",
        "IFD0:Copyright": "(c) us", "IFD0:ImageDescription": "A view",
        "IFD0:ModifyDate": "2021:01:01 00:00:00",
        "ExifIFD:DateTimeOriginal": "2020:02:29 23:59:58", "ExifIFD:SubSecTimeOriginal": "25",
        "ExifIFD:OffsetTimeOriginal": "+05:30", "ExifIFD:FNumber": "2.8",
        "ExifIFD:ExposureTime": "0.004", "ExifIFD:LensModel": "50mm f/1.8",
        "ExifIFD:UserComment": "nothing special", "GPS:GPSLatitudeRef": "N",
        "GPS:GPSLongitudeRef": "W", "GPS:GPSAltitude": "610.5", "XMP-dc:Title": "A title",
        "XMP-xmp:Rating": "4",
    ]

    /// A picture with all these tags, a profile, and its thumbnails.
    private static func original(_ format: String, _ tool: ExifTool) throws -> TestFile {
        let picture = try TestPicture.image(width: 64, height: 48)
            .applying("icc_transform", ["output_profile": "p3", "input_profile": "srgb"])
        let saver = format == "heic" ? "heif" : format
        let options: [String: OperationValue] = format == "webp" ? ["lossless": true] : [:]
        let bytes = try picture.encoded(saver: "\(saver)save_buffer", options: options)
        let thumbnail = try picture.applying("resize", ["scale": 0.25])
            .encoded(saver: "jpegsave_buffer", options: ["strip": true])
        let path = try tool.file(thumbnail, "thumbnail.jpg")
        var tags = Self.tags + ["-XMP-xmp:ThumbnailImage<=\(path)"]
        if hasIPTC.contains(format) { tags += iptc }
        if format == "jpeg" {
            tags += ["-IFD1:ThumbnailImage<=\(path)", "-Photoshop:PhotoshopThumbnail<=\(path)"]
        }
        return try tool.tagging(bytes, format == "jpeg" ? "jpg" : format, tags)
    }

    @Test(
        "EXIF, XMP, IPTC and profile survive an edit; stale sizes and thumbnails do not",
        arguments: originals)
    func survival(_ format: String) throws {
        let tool = try ExifTool()
        let original = try Self.original(format, tool)
        let before = try tool.read(original)
        let runner = try TestRunner()
        _ = try runner.loadRecorder(mode: "batch")
        for output in Self.outputs {
            let file = try TestFile()
            let settings = EncodeSettings(format: output, size: PixelSize(width: 30, height: 30))
            let reply = try Self.edit(runner, original, settings, file)
            guard case .rendered(let report) = reply else { throw unexpected(reply) }
            let comment = Comment(rawValue: "\(format) to \(output.rawValue)")
            let after = try tool.read(file)
            for (tag, value) in Self.kept {
                let place = tag.hasPrefix("IFD0:") ? Self.place(of: tag, in: before) : tag
                #expect(before[place] == value, "\(tag) before, \(format)")
                #expect(after[tag] == value, "\(tag), \(comment)")
            }
            try Self.expectPlace(after, comment)
            Self.expectFresh(after, report, comment)
            if format != "jxl", output != .jxl {
                // JPEG XL stores a number for the profile, from which libjxl generates one.
                let tag = "ICC-header:ProfileID"
                #expect(after[tag] == before[tag], comment)
            }
            // ExifTool does not look for a profile in a JPEG XL codestream.
            if output != .jxl { #expect(after["ICC_Profile:ProfileDescription"] != nil, comment) }
            if Self.hasIPTC.contains(format), [.jpeg, .png, .tiff].contains(output) {
                #expect(after["IPTC:City"] == "Reykjavik", comment)
                #expect(after["IPTC:Keywords"] == "one, three", comment)
            }
            // libvips reads the reported width.
            #expect(try file.image().width == report.width)
        }
    }

    @Test("EXIF too large for a JPEG loses its longest values")
    func noRoom() throws {
        let tool = try ExifTool()
        let note = String(repeating: "x", count: 70_000)
        let path = try tool.file(Array(note.utf8), "note")
        let bytes = try TestPicture.image(width: 64, height: 48).encoded(saver: "tiffsave_buffer")
        let original = try tool.tagging(
            bytes, "tiff", ["-EXIF:Make=Maker", "-EXIF:FNumber=2.8", "-EXIF:UserComment<=\(path)"])
        let file = try TestFile()
        let runner = try TestRunner()
        _ = try runner.loadRecorder(mode: "batch")
        let reply = try Self.edit(runner, original, EncodeSettings(format: .jpeg), file)
        guard case .rendered = reply else { throw unexpected(reply) }
        let tags = try tool.read(file)
        #expect(tags["IFD0:Make"] == "Maker" && tags["ExifIFD:FNumber"] == "2.8")
        #expect(tags["ExifIFD:UserComment"] == nil)
    }

    private static func edit(
        _ runner: TestRunner, _ original: TestFile, _ settings: EncodeSettings, _ file: TestFile
    ) throws -> RunnerReply {
        let step = RenderStep(
            extensionIdentifier: "org.example.recorder", adjustmentData: try .recorder())
        let job = RenderJob(
            input: RenderInput(base: .encoded(.unknown), steps: [step]),
            output: .encoded(settings))
        return try runner.request(
            .run(job),
            [
                (.base, original.number), (.metadataSource, original.number),
                (.output, file.number),
            ])
    }

    /// ExifTool may write the tags of a first directory elsewhere in formats other than JPEG.
    private static func place(of tag: String, in tags: [String: String]) -> String {
        tags[tag] != nil ? tag : tag.replacingOccurrences(of: "IFD0:", with: "PNG:")
    }

    private static func expectPlace(_ tags: [String: String], _ comment: Comment) throws {
        let latitude = try #require(Double(tags["GPS:GPSLatitude"] ?? ""), comment)
        let longitude = try #require(Double(tags["GPS:GPSLongitude"] ?? ""), comment)
        #expect(abs(latitude - 36.1125) < 1e-6, comment)
        #expect(abs(longitude - 115.17) < 1e-6, comment)
    }

    private static func expectFresh(
        _ tags: [String: String], _ report: RenderReport, _ comment: Comment
    ) {
        let (width, height) = ("\(report.width)", "\(report.height)")
        let expected = [
            "IFD0:Orientation": "1", "XMP-tiff:Orientation": "1",
            "ExifIFD:ExifImageWidth": width, "ExifIFD:ExifImageHeight": height,
            "XMP-exif:ExifImageWidth": width, "XMP-exif:ExifImageHeight": height,
            "XMP-tiff:ImageWidth": width, "XMP-tiff:ImageHeight": height,
        ]
        for (tag, value) in expected {
            // A block that is built from tags has no orientation, which is equivalent to 1.
            if tag == "IFD0:Orientation", tags[tag] == nil { continue }
            #expect(tags[tag] == value, "\(tag), \(comment)")
        }
        let stale = tags.keys.filter { $0.contains("Thumbnail") || $0.hasPrefix("IFD1:") }
        #expect(stale.isEmpty, "\(stale), \(comment)")
        // The minor warning is about JPEG's EXIF header, which libvips writes into WebP.
        let complaints = tags.filter {
            $0.key.hasSuffix(":Error")
                || $0.key.hasSuffix(":Warning") && !$0.value.contains("minor")
        }
        #expect(complaints.isEmpty, "\(complaints), \(comment)")
    }
}
