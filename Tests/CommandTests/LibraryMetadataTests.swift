// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The library's metadata in exported files.
@Suite("exports with the library's metadata")
struct LibraryMetadataTests {
    private static let tags = [
        "-EXIF:Make=Maker", "-EXIF:DateTimeOriginal=2020:02:29 23:59:58",
        "-EXIF:GPSLatitude=36.1125", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=115.17",
        "-EXIF:GPSLongitudeRef=W", "-XMP-dc:Subject=boats", "-XMP-dc:Creator=An artist",
        "-EXIF:Copyright=Mine",
    ]
    private static let changes = [
        "--date", "2016-10-09T14:44:18+02:00", "--location=-37.788975,175.2995", "--keyword",
        "Berlin", "--remove-keyword", "boats",
    ]

    private func exiftool(_ arguments: [String]) throws -> String {
        let result = try runProgram("/usr/bin/env", ["exiftool"] + arguments)
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    private func tags(of path: String) throws -> [String: String] {
        let json = try exiftool(["-j", "-G1", "-a", "-n", path])
        let all = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
        return try #require(all?.first).mapValues { "\($0)" }
    }

    /// Imports a tagged gradient as a JPEG or in another format.
    private func imported(
        _ bench: Workbench, _ ending: String = "jpg", _ tags: [String] = tags
    ) throws -> (id: String, path: String) {
        let source = try bench.picture()
        let path = bench.folder.file("photos/photo.\(ending)")
        let made = try runProgram("/usr/bin/env", ["vips", "copy", source, path])
        #expect(made.status == 0, "\(made.errors)")
        _ = try exiftool(["-q", "-m", "-n", "-overwrite_original"] + tags + [path])
        return (try #require(try bench.json("import", path).first?["id"] as? String), path)
    }

    private func export(_ bench: Workbench, _ id: String, _ options: String...) throws -> String {
        let folder = bench.folder.file("out-\(UUID())")
        let result = try bench.run(["export", id, "--to", folder, "--json"] + options)
        try #require(result.status == 0, "\(result.errors)")
        return try #require(try result.objects.first?["path"] as? String)
    }

    private func set(_ bench: Workbench, _ id: String) throws {
        let result = try bench.run(["set", id] + Self.changes)
        try #require(result.status == 0, "\(result.errors)")
    }

    private func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    private func pixels(_ path: String) throws -> TestPicture {
        try TestPicture(decoding: bytes(path))
    }

    private func expectNew(_ path: String) throws {
        let tags = try tags(of: path)
        #expect(tags["ExifIFD:DateTimeOriginal"] == "2016:10:09 14:44:18")
        #expect(tags["ExifIFD:OffsetTimeOriginal"] == "+02:00")
        #expect(tags["Composite:GPSLatitude"].flatMap { Double($0) } == -37.788975)
        #expect(tags["Composite:GPSLongitude"].flatMap { Double($0) } == 175.2995)
        #expect(tags["XMP-dc:Subject"] == "Berlin")
        #expect(tags["IFD0:Make"] == "Maker")
    }

    @Test(
        "an original exports byte for byte unless library metadata is requested",
        arguments: ["jpg", "png", "tif"])
    func unedited(ending: String) throws {
        let bench = try Workbench()
        let (id, path) = try imported(bench, ending)
        let original = try bytes(path)
        #expect(try bytes(export(bench, id, "--metadata", "library")) == original)
        try set(bench, id)
        #expect(try bytes(export(bench, id)) == original)
        #expect(try bytes(export(bench, id, "--metadata", "original")) == original)
        #expect(try bytes(export(bench, id, "--version", "unadjusted")) == original)
        let changed = try export(bench, id, "--metadata", "library")
        try expectNew(changed)
        #expect(try pixels(changed) == pixels(path))
    }

    @Test(
        "a converted picture carries the library's metadata",
        arguments: ["jpeg", "png", "webp", "avif"])
    func converted(format: String) throws {
        let bench = try Workbench()
        let (id, _) = try imported(bench)
        try set(bench, id)
        try expectNew(try export(bench, id, "--format", format))
        let old = try tags(of: try export(bench, id, "--format", format, "--metadata", "original"))
        #expect(old["ExifIFD:DateTimeOriginal"] == "2020:02:29 23:59:58")
        #expect(old["XMP-dc:Subject"] == "boats")
    }

    @Test("an edited picture carries the library's metadata without re-encoding its stored JPEG")
    func edited() throws {
        let bench = try Workbench()
        try TestExtension.buildAdder(in: bench.folder.file("extensions"))
        let (id, _) = try imported(bench)
        _ = try bench.json("edit", id, "--with", "adder", "--set", "amount=20")
        let stored = try export(bench, id)
        #expect(try tags(of: stored)["XMP-dc:Subject"] == "boats")
        try set(bench, id)
        let changed = try export(bench, id)
        try expectNew(changed)
        // The compressed data after the header is unchanged.
        let scan = Data([0xFF, 0xDA])
        let (old, new) = (try bytes(stored), try bytes(changed))
        let rest = try #require(old.range(of: scan, options: .backwards))
        #expect(new.suffix(old.count - rest.lowerBound) == old.suffix(from: rest.lowerBound))
        #expect(try pixels(stored) == pixels(changed))
        #expect(try bytes(export(bench, id, "--metadata", "original")) == old)
    }

    @Test(
        "metadata removed in the library is removed on export; --no-location omits locations"
    )
    func removed() throws {
        let bench = try Workbench()
        let (id, _) = try imported(bench)
        _ = try bench.json("set", id, "--remove-keyword", "boats")
        let tags = try tags(of: try export(bench, id, "--metadata", "library"))
        #expect(tags["XMP-dc:Subject"] == nil && tags["IFD0:Make"] == "Maker")
        try set(bench, id)
        let path = try export(bench, id, "--metadata", "library", "--no-location")
        let without = try self.tags(of: path)
        #expect(!without.keys.contains { $0.contains("GPS") }, "\(without)")
        #expect(without["XMP-dc:Subject"] == "Berlin")
        #expect(without["ExifIFD:DateTimeOriginal"] == "2016:10:09 14:44:18")
    }

    @Test("metadata from a sidecar is exported in the picture", arguments: ["jpg", "png"])
    func sidecar(ending: String) throws {
        let bench = try Workbench()
        let folder = bench.folder.file("card")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/beside.\(ending)"
        let made = try runProgram("/usr/bin/env", ["vips", "copy", try bench.picture(), path])
        #expect(made.status == 0)
        _ = try bench.folder.write(
            Data(
                """
                <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
                xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
                xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="3"/></rdf:RDF></x:xmpmeta>
                """.utf8), to: "card/beside.xmp")
        let result = try bench.run("import", folder)
        let id = try #require(try bench.json("list").first?["id"] as? String, "\(result.errors)")
        #expect(try tags(of: export(bench, id, "--metadata", "library"))["XMP-xmp:Rating"] == "3")
        #expect(try bytes(export(bench, id)) == bytes(path))
    }

    @Test("a JPEG without room for more metadata is re-encoded and carries it")
    func full() throws {
        let bench = try Workbench()
        let (id, path) = try imported(
            bench, "jpg",
            Self.tags + ["-EXIF:UserComment=\(String(repeating: "a", count: 65_000))"])
        try set(bench, id)
        try expectNew(try export(bench, id, "--metadata", "library"))
        #expect(try bytes(export(bench, id)) == bytes(path))
    }

    @Test("-metadata copyright keeps creator and rights only", arguments: ["jpg", "png"])
    func copyright(ending: String) throws {
        let bench = try Workbench()
        let (id, path) = try imported(bench, ending)
        let made = try export(bench, id, "--metadata", "copyright")
        let tags = try tags(of: made)
        #expect(tags["IFD0:Copyright"] == "Mine" && tags["XMP-dc:Creator"] == "An artist")
        #expect(tags["IFD0:Make"] == nil && tags["XMP-dc:Subject"] == nil)
        #expect(!tags.keys.contains { $0.contains("GPS") || $0.contains("DateTimeOriginal") })
        #expect(try pixels(made) == pixels(path))
        // A JPEG whose metadata is removed completely is not re-encoded either.
        #expect(try pixels(export(bench, id, "--metadata", "none")) == pixels(path))
        #expect(try pixels(export(bench, id, "--no-location")) == pixels(path))
    }

    @Test(
        "unwritable formats and conflicting options are rejected with an alternative"
    )
    func refused() throws {
        let bench = try Workbench()
        let (id, _) = try imported(bench)
        for format in ["foo", "dng", "mp4"] {
            let result = try bench.run("export", id, "--format", format, "--to", "out")
            #expect(result.status == 64 && result.errors.contains("jpeg"), "\(result.errors)")
            #expect(result.errors.contains("avif"), "\(result.errors)")
        }
        let alone = try bench.run("export", id, "--with-companions", "--to", "out")
        #expect(alone.status == 64 && alone.errors.contains("--version original"))
        let result = try bench.run("export", id, "--profile", "cmyk", "--to", "out")
        #expect(result.status == 64 && result.errors.contains("display-p3"), "\(result.errors)")
    }
}
