// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// Tags of real photos, read by ExifTool before and after re-encoding.
@Suite("metadata of real photos", .corpus)
struct MetadataSurvivalTests {
    /// All tags of a file, by group and name.
    private typealias Tags = [String: String]

    private static let outputs: [MediaFormat] = [.jpeg, .png, .webp, .jxl, .avif]
    private static let groups = ["EXIF:", "MakerNotes:", "XMP:", "IPTC:"]

    /// Tags that an edit invalidates, or that ExifTool derives from such tags.
    private static let changed: Set<String> = [
        "Orientation", "ImageWidth", "ImageHeight", "ImageLength", "ExifImageWidth",
        "ExifImageHeight", "PixelXDimension", "PixelYDimension", "SubjectArea", "SubjectLocation",
        "ColorSpace", "InteropIndex",
    ]

    /// Reads the files of a folder, by name without extension.
    private func read(_ folder: String) throws -> [String: Tags] {
        let result = try runProgram(
            "/usr/bin/env",
            ["exiftool", "-j", "-G0:1", "-a", "-n", "-x", "FilePermissions", folder])
        let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        var files: [String: Tags] = [:]
        for tags in try #require(json as? [[String: Any]]) {
            let path = try #require(tags["SourceFile"] as? String)
            files[URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent] =
                tags.mapValues { "\($0)" }
        }
        return files
    }

    /// Tags that declare a gain map or a video, which the output does not have: XMP of another picture in
    /// the file, and data after its end. Also face regions, which depend on the size of the picture.
    private static let others = [
        "XMP:XMP-HDRGainMap:", "XMP:XMP-hdrgm:", "XMP:XMP-GContainer:", "XMP:XMP-GCamera:M",
        "XMP:XMP-xmpNote:HasExtendedXMP", "XMP:XMP-mwg-rs:", "XMP:XMP-apple-fi:", "XMP:XMP-MP:",
        "XMP:XMP-x:", "MakerNotes:Samsung:",
    ]

    /// The tags that should survive.
    private func lasting(_ tags: Tags) -> Tags {
        tags.filter { tag, _ in
            let name = tag.split(separator: ":").last.map(String.init) ?? ""
            return Self.groups.contains { tag.hasPrefix($0) } && !tag.contains(":IFD1:")
                && !Self.others.contains { tag.hasPrefix($0) }
                && !tag.contains("Thumbnail") && !Self.changed.contains(name)
        }
    }

    @Test(
        "at least 99 % of tags are unchanged, and every maker note is readable after changes",
        arguments: [false, true])
    func survival(isChanged: Bool) throws {
        let originals = try TemporaryFolder()
        var folders: [MediaFormat: TemporaryFolder] = [:]
        for output in Self.outputs { folders[output] = try TemporaryFolder() }
        let runner = try TestRunner()
        for (number, row) in try Corpus.photos().enumerated() {
            guard ["TIFF", "BTF", "JXL", "GIF"].allSatisfy({ $0 != row["format"] }) else {
                continue
            }
            let path = try Corpus.path(try #require(row["path"]))
            let name =
                "\(number)-\(URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)"
            _ = try originals.write(
                try Data(contentsOf: URL(fileURLWithPath: path)),
                to: "\(name).\(URL(fileURLWithPath: path).pathExtension)")
            let original = try TestFile(path: path)
            for output in Self.outputs {
                let file = try TestFile()
                var settings = EncodeSettings(
                    format: output, size: PixelSize(width: 32, height: 32))
                if isChanged { settings.metadataChanges = try MetadataChangesTests.changes() }
                let job = RenderJob(
                    input: RenderInput(base: .encoded(.unknown)), output: .encoded(settings))
                let reply = try runner.request(
                    .run(job),
                    [
                        (.base, original.number), (.metadataSource, original.number),
                        (.output, file.number),
                    ])
                guard case .rendered = reply else { throw unexpected(reply) }
                _ = try folders[output]?.write(Data(file.bytes), to: "\(name).\(output.rawValue)")
            }
        }
        let before = try read(originals.path)
        for output in Self.outputs {
            let after = try read(try #require(folders[output]).path)
            try compare(
                isChanged
                    ? before.mapValues { $0.filter { MetadataComparison.isOther($0.key) } }
                    : before,
                after, output)
            for (name, tags) in after where isChanged {
                #expect(tags["EXIF:ExifIFD:DateTimeOriginal"] == "2016:10:09 14:44:18", "\(name)")
                #expect(tags["XMP:XMP-xmp:Rating"] == "4", "\(name)")
                let latitude =
                    tags["Composite:Composite:GPSLatitude"] ?? tags["Composite:GPSLatitude"]
                #expect(latitude.flatMap { Double($0) } == -37.788975, "\(name)")
            }
        }
    }

    private func compare(
        _ before: [String: Tags], _ after: [String: Tags], _ output: MediaFormat
    ) throws {
        var (all, lost) = (0, 0)
        var examples: [String] = []
        for (name, tags) in before {
            let expected = lasting(tags)
            let found = try #require(after[name], "\(name)")
            let differing = expected.filter { found[$0.key] != $0.value }
            // Other formats have no place for IPTC, or none that ExifTool reads.
            let counted = differing.filter { output == .jpeg || !$0.key.hasPrefix("IPTC:") }
            all += expected.count
            lost += counted.count
            examples += counted.keys.prefix(5).map { "\(name) \($0)" }
            let notes = differing.filter { $0.key.hasPrefix("MakerNotes:") }
            #expect(notes.isEmpty, "\(name) to \(output.rawValue): \(notes.prefix(5))")
        }
        #expect(all > 400)
        #expect(lost * 100 <= all, "\(output.rawValue): \(lost) of \(all): \(examples)")
    }
}
