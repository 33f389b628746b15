// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// XMP files written beside exported files.
@Suite("exported sidecars")
struct ExportedSidecarTests {
    /// A sidecar as darktable and Lightroom would write it, with properties of another program.
    private static let sidecar = """
        <?xml version="1.0" encoding="UTF-8"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
         <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
          xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
          xmlns:darktable="http://darktable.sf.net/" xmlns:o="http://example.org/other/"
          xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
          xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
          xmp:Rating="2" crs:Exposure2012="+1.00" darktable:xmp_version="5" o:kept="yes"
          photoshop:City="Reykjavik" tiff:Orientation="6">
          <darktable:history><rdf:Seq><rdf:li darktable:operation="exposure"/></rdf:Seq>
          </darktable:history></rdf:Description></rdf:RDF></x:xmpmeta>
        """
    private static let region =
        "-RegionInfo={AppliedToDimensions={W=64,H=48,Unit=pixel},"
        + "RegionList=[{Area={X=0.25,Y=0.3,W=0.1,H=0.1,Unit=normalized},Name=Ann,Type=Face}]}"

    private func exiftool(_ arguments: [String]) throws -> String {
        let result = try runProgram("/usr/bin/env", ["exiftool"] + arguments)
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    private func tags(_ path: String) throws -> [String: Any] {
        let output = try exiftool(["-j", "-G1", "-n", "-struct", path])
        let rows = try JSONSerialization.jsonObject(with: Data(output.utf8))
        return try #require((rows as? [[String: Any]])?.first)
    }

    /// The values of a list, which ExifTool writes without brackets if there is one.
    private func list(_ value: Any?) -> [String] {
        value as? [String] ?? (value as? String).map { [$0] } ?? []
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    }

    /// Imports a picture with a sidecar, and describes it in the library.
    private func described(_ bench: Workbench) throws -> String {
        let path = try bench.picture(name: "a.png")
        _ = try exiftool([
            "-q", "-overwrite_original", "-EXIF:Artist=Ann Bell", "-EXIF:Copyright=2024 Ann Bell",
            Self.region, path,
        ])
        try Data(Self.sidecar.utf8).write(to: URL(fileURLWithPath: path + ".xmp"))
        let rows = try bench.json("import", bench.folder.file("photos"))
        let id = try #require(rows.first?["id"] as? String)
        _ = try bench.json(
            "set", id, "--rating", "4", "--label", "Red", "--title", "A & B",
            "--description", "One\nTwo", "--keyword", "Travel|Italy|Rome", "--keyword", "f/2.8",
            "--date", "2024-05-31T18:30:00+02:00", "--location", "52.5163,-13.3777")
        return id
    }

    private func names(_ folder: String) throws -> [String] {
        try ExportedFiles.names(in: folder).sorted()
    }

    @Test("a sidecar has the library's values, which an import of the folder reads back")
    func roundTrip() throws {
        let bench = try Workbench()
        let id = try described(bench)
        let folder = bench.folder.file("out")
        let row = try bench.json("export", id, "--sidecar", "xmp", "--to", folder).first
        #expect(row?["companions"] as? [String] == ["\(folder)/a.png.xmp"])
        let tags = try tags("\(folder)/a.png.xmp")
        #expect(tags["XMP-xmp:Rating"] as? Int == 4 && tags["XMP-xmp:Label"] as? String == "Red")
        #expect(tags["XMP-dc:Title"] as? String == "A & B")
        #expect(tags["XMP-dc:Description"] as? String == "One\nTwo")
        #expect(list(tags["XMP-dc:Subject"]) == ["Travel", "Italy", "Rome", "f/2.8"])
        #expect(
            list(tags["XMP-lr:HierarchicalSubject"]) == ["Travel|Italy|Rome", "f/2.8"])
        #expect(list(tags["XMP-digiKam:TagsList"]) == ["Travel/Italy/Rome", "f/2.8"])
        #expect(tags["XMP-exif:DateTimeOriginal"] as? String == "2024:05:31 18:30:00+02:00")
        #expect(tags["XMP-photoshop:DateCreated"] as? String == "2024:05:31 18:30:00+02:00")
        #expect(tags["XMP-exif:GPSLatitude"] as? Double == 52.5163)
        #expect(tags["XMP-exif:GPSLongitude"] as? Double == -13.3777)
        #expect(list(tags["XMP-dc:Creator"]) == ["Ann Bell"])
        #expect(tags["XMP-dc:Rights"] as? String == "2024 Ann Bell")
        #expect(try text("\(folder)/a.png.xmp").contains("Ann"))
        let library = bench.folder.file("second.editlibrary")
        let again = try bench.json("import", folder, "--library", library)
        let new = try #require(again.first?["id"] as? String)
        let (old, read) = (
            try #require(bench.json("show", id).first),
            try #require(bench.json("show", new, "--library", library).first)
        )
        for key in [
            "creationDate", "location", "rating", "label", "title", "description", "keywords",
            "keywordPaths", "creator", "copyright",
        ] {
            let value = try #require(old[key] as? NSObject, "\(key)")
            #expect(value == read[key] as? NSObject, "\(key)")
        }
    }

    @Test("properties of other programs are kept, but not settings for the original's pixels")
    func foreign() throws {
        let bench = try Workbench(extensions: ["CropRotate"])
        let id = try described(bench)
        func sidecar(_ folder: String, _ options: String...) throws -> String {
            let path = bench.folder.file(folder)
            _ = try bench.json(["export", id, "--sidecar", "xmp", "--to", path] + options)
            let name = try #require(try names(path).first { $0.hasSuffix(".xmp") })
            return try text("\(path)/\(name)")
        }
        let original = try sidecar("original", "--version", "original")
        for part in ["o:kept", "crs:Exposure2012", "darktable:history", "Orientation=\"6\""] {
            #expect(original.contains(part), "\(part)")
        }
        #expect(original.contains("RegionList"))
        let converted = try sidecar("converted", "--format", "jpeg")
        #expect(converted.contains("o:kept") && converted.contains("RegionList"))
        _ = try bench.json("edit", id, "--with", "croprotate", "--set", "turns=1")
        let edited = try sidecar("edited")
        #expect(edited.contains("o:kept") && edited.contains("Rome"))
        for text in [converted, edited] {
            for part in ["crs:Exposure2012", "darktable:history", "xmp_version", "Orientation"] {
                #expect(!text.contains(part), "\(part)")
            }
        }
        #expect(!edited.contains("RegionList"))
    }

    @Test("metadata that is withheld from the file is not in its sidecar")
    func withheld() throws {
        let bench = try Workbench()
        let id = try described(bench)
        let place = ["52", "13,", "GPS", "Reykjavik"]
        let descriptive = place + ["Rome", "A &amp; B", "Two", "2024-05", "Rating", "o:kept"]
        let cases: [([String], withheld: [String], kept: [String])] = [
            (["--no-location"], place, ["Rome", "o:kept", "Ann Bell"]),
            (["--metadata", "copyright"], descriptive, ["Ann Bell"]),
            (["--metadata", "original"], ["Rome", "GPS", "A &amp; B"], ["o:kept", "Ann Bell"]),
        ]
        for (options, withheld, kept) in cases {
            let folder = bench.folder.file(options.joined())
            _ = try bench.json(["export", id, "--sidecar", "xmp", "--to", folder] + options)
            let text = try text("\(folder)/a.png.xmp")
            for part in withheld { #expect(!text.contains(part), "\(options) \(part)") }
            for part in kept { #expect(text.contains(part), "\(options) \(part)") }
        }
        let folder = bench.folder.file("none")
        _ = try bench.json("export", id, "--sidecar", "xmp", "--metadata", "none", "--to", folder)
        #expect(try names(folder) == ["a.png"])
    }

    @Test("a second export changes nothing, a changed value is written, and sidecars are removed")
    func repeated() throws {
        let bench = try Workbench()
        let id = try described(bench)
        let folder = bench.folder.file("out")
        func reason(_ options: String...) throws -> String? {
            try bench.json(["export", id, "--to", folder] + options).first?["reason"] as? String
        }
        #expect(try reason("--sidecar", "xmp") == "new")
        let before = try text("\(folder)/a.png.xmp")
        #expect(try reason("--sidecar", "xmp") == "unchanged")
        _ = try bench.json("set", id, "--rating", "5")
        #expect(try reason("--sidecar", "xmp") == "metadata")
        #expect(try text("\(folder)/a.png.xmp") != before)
        try FileManager.default.removeItem(atPath: "\(folder)/a.png.xmp")
        #expect(try reason("--sidecar", "xmp", "--prune") == "missing")
        #expect(try names(folder) == ["a.png", "a.png.xmp"])
        #expect(try reason() == "settings")
        #expect(try names(folder) == ["a.png"])
    }

    @Test(
        "RAW companions and videos get sidecars, which replace the imported ones", .corpus,
        arguments: [false, true])
    func companions(hasOwn: Bool) throws {
        let bench = try Workbench()
        let card = bench.folder.file("card")
        try FileManager.default.createDirectory(atPath: card, withIntermediateDirectories: true)
        for (source, name) in [
            ("photos/gps/thompson-springs.jpg", "IMG_1.JPG"),
            ("cameras/colorchart.dng", "IMG_1.DNG"),
        ] {
            try FileManager.default.copyItem(
                atPath: try Corpus.path(source), toPath: "\(card)/\(name)")
        }
        try Data(Self.sidecar.utf8).write(to: URL(fileURLWithPath: "\(card)/IMG_1.xmp"))
        let own = Self.sidecar.replacingOccurrences(of: "o:kept=\"yes\"", with: "o:kept=\"raw\"")
        if hasOwn {
            try Data(own.utf8).write(to: URL(fileURLWithPath: "\(card)/IMG_1.DNG.xmp"))
        }
        let id = try #require(try bench.json("import", card).first?["id"] as? String)
        _ = try bench.json("set", id, "--rating", "3")
        let folder = bench.folder.file("out")
        _ = try bench.json(
            "export", id, "--version", "original", "--with-companions", "--sidecar", "xmp", "--to",
            folder)
        #expect(
            try Set(names(folder)) == ["IMG_1.JPG", "IMG_1.JPG.xmp", "IMG_1.DNG", "IMG_1.DNG.xmp"])
        for name in ["IMG_1.JPG.xmp", "IMG_1.DNG.xmp"] {
            let tags = try tags("\(folder)/\(name)")
            #expect(tags["XMP-xmp:Rating"] as? Int == 3)
            let text = try text("\(folder)/\(name)")
            #expect(text.contains("darktable:history"))
            let kept = hasOwn && name.contains("DNG") ? "o:kept=\"raw\"" : "o:kept=\"yes\""
            #expect(text.contains(kept), "\(name)")
        }
    }

    @Test("values that were not changed keep their form")
    func unchangedValues() throws {
        let bench = try Workbench()
        let path = try bench.picture(name: "a.png")
        try Data(Self.sidecar.utf8).write(to: URL(fileURLWithPath: path + ".xmp"))
        _ = try exiftool([
            "-q", "-overwrite_original", "-XMP-dc:Title=Harbour", "-XMP-dc:Title-de=Hafen",
            "-XMP-exif:GPSLatitude=48.1", "-XMP-exif:GPSLongitude=11.5",
            "-XMP-exif:GPSAltitude=520", "-XMP-photoshop:DateCreated=2020:01",
            "-XMP-dc:Subject=boat", "-XMP-acdsee:keywords=boat", path + ".xmp",
        ])
        let before = try tags(path + ".xmp")
        let id = try #require(
            try bench.json("import", bench.folder.file("photos")).first?["id"] as? String)
        _ = try bench.json("set", id, "--rating", "5")
        let folder = bench.folder.file("out")
        _ = try bench.json("export", id, "--sidecar", "xmp", "--to", folder)
        let after = try tags("\(folder)/a.png.xmp")
        #expect(after["XMP-xmp:Rating"] as? Int == 5)
        for name in [
            "XMP-dc:Title", "XMP-dc:Title-de", "XMP-exif:GPSAltitude", "XMP-exif:GPSLatitude",
            "XMP-photoshop:DateCreated", "XMP-dc:Subject", "XMP-acdsee:Keywords",
        ] {
            let old = before[name].map { "\($0)" }
            #expect(old != nil && after[name].map { "\($0)" } == old, "\(name)")
        }
    }

    @Test("a sidecar that cannot be read is exported as it is, with a warning")
    func unreadable() throws {
        let bench = try Workbench()
        let path = try bench.picture(name: "a.png")
        let truncated = Data(Self.sidecar.utf8.dropLast(40))
        try truncated.write(to: URL(fileURLWithPath: path + ".xmp"))
        let id = try #require(
            try bench.json("import", bench.folder.file("photos")).first?["id"] as? String)
        let folder = bench.folder.file("out")
        let result = try bench.run("export", id, "--sidecar", "xmp", "--to", folder)
        #expect(result.status == 0 && result.errors.contains("a.png.xmp is exported as it is"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/a.png.xmp")) == truncated)
    }

    @Test("--no-location also removes positions that other programs and drones write")
    func otherPositions() throws {
        let bench = try Workbench()
        let path = try bench.picture(name: "a.png")
        let positions = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
             xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
             xmlns:d="http://www.dji.com/drone-dji/1.0/" d:GpsLatitude="48.137154" d:Pitch="4.5"
             d:GpsLongtitude="11.576124" xmlns:g="http://www.w3.org/2003/01/geo/wgs84_pos#"
             g:lat="48.137154" xmlns:w="http://rs.tdwg.org/dwc/index.htm"
             w:decimalLongitude="11.576124"/></rdf:RDF></x:xmpmeta>
            """
        let packet = try bench.folder.write(Data(positions.utf8), to: "packet.xmp")
        _ = try exiftool(["-q", "-overwrite_original", "-XMP<=\(packet)", path])
        try Data(positions.utf8).write(to: URL(fileURLWithPath: path + ".xmp"))
        let id = try #require(
            try bench.json("import", bench.folder.file("photos")).first?["id"] as? String)
        let folder = bench.folder.file("out")
        _ = try bench.json("export", id, "--sidecar", "xmp", "--no-location", "--to", folder)
        for name in ["a.png", "a.png.xmp"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains("48.13") && !text.contains("11.57"), "\(name)")
            #expect(text.contains("4.5"), "\(name)")
        }
    }
}
