// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The metadata of exported files.
@Suite("exported metadata")
struct ExportedMetadataTests {
    private static let places = [
        "-EXIF:GPSLatitude=36.1125", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=115.17",
        "-EXIF:GPSLongitudeRef=W", "-EXIF:GPSAltitude=610.5", "-XMP-exif:GPSLatitude=36.1125",
        "-XMP-exif:GPSLongitude=-115.17", "-XMP-photoshop:City=Reykjavik",
        "-XMP-photoshop:Country=Iceland", "-XMP-iptcCore:Location=Harbour",
        "-XMP-iptcCore:CountryCode=IS", "-XMP-iptcExt:LocationShownCity=Reykjavik",
        "-XMP-iptcExt:LocationCreatedSublocation=Harbour", "-IPTC:City=Reykjavik",
        "-IPTC:Sub-location=Harbour", "-IPTC:Province-State=South",
        "-IPTC:ContentLocationName=Pier",
        "-IPTC:Country-PrimaryLocationName=Iceland", "-IPTC:Country-PrimaryLocationCode=ISL",
    ]
    private static let others = [
        "-EXIF:Make=Maker", "-EXIF:DateTimeOriginal=2020:02:29 23:59:58", "-XMP-dc:Title=A title",
        "-IPTC:Keywords=boats", "-EXIF:UserComment=a comment",
    ]

    private func exiftool(_ arguments: [String]) throws -> String {
        let result = try runProgram("/usr/bin/env", ["exiftool"] + arguments)
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    /// Imports one photo with its location in every supported tag.
    private func imported(_ bench: Workbench) throws -> String {
        let path = try bench.picture()
        _ = try exiftool(
            ["-q", "-m", "-n", "-overwrite_original"] + Self.places + Self.others + [path])
        return try #require(try bench.json("import", path).first?["id"] as? String)
    }

    @Test("export and edit report exactly the metadata a format cannot hold")
    func omissions() throws {
        let bench = try Workbench(extensions: ["CropRotate"])
        let path = try bench.picture()
        _ = try exiftool(["-q", "-overwrite_original", "-IFD0:PixelScale=30 30 0", path])
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        let folder = bench.folder.file("out")
        let small = try bench.run("export", id, "--size", "8x8", "--to", folder)
        #expect(small.status == 0 && small.errors.contains("GeoTIFF"), "\(small.errors)")
        #expect(small.errors.split(separator: "\n").count == 1)
        let same = try bench.run("export", id, "--format", "tiff", "--to", folder)
        #expect(same.status == 0 && same.errors.isEmpty, "\(same.errors)")
        let edited = try bench.run("edit", id, "--with", "croprotate", "--set", "turns=1")
        #expect(edited.status == 0 && edited.errors.contains("GeoTIFF"), "\(edited.errors)")
        #expect(edited.errors.split(separator: "\n").count == 1)
    }

    @Test("an extension that keeps pixels in place keeps face regions; any other drops them")
    func faces() throws {
        let bench = try Workbench(extensions: ["CropRotate", "SepiaFilter"])
        let path = try bench.picture()
        let region =
            "-RegionInfo={AppliedToDimensions={W=64,H=48,Unit=pixel},"
            + "RegionList=[{Area={X=0.25,Y=0.3,W=0.1,H=0.1,Unit=normalized},Name=Ann,Type=Face}]}"
        _ = try exiftool(["-q", "-overwrite_original", region, path])
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        /// The face names in an export, and the command's messages.
        func export(_ arguments: [String]) throws -> (names: String, errors: String) {
            let folder = bench.folder.file(UUID().uuidString)
            let result = try bench.run(["export", id, "--to", folder] + arguments)
            #expect(result.status == 0)
            return (try exiftool(["-q", "-r", "-s3", "-RegionName", folder]), result.errors)
        }
        let ways = [[], ["--metadata", "original"], ["--format", "jpeg"]]
        #expect(try bench.run("edit", id, "--with", "sepia").errors.isEmpty)
        for arguments in ways {
            let (names, errors) = try export(arguments)
            #expect(names.contains("Ann") && errors.isEmpty, "\(arguments) \(errors)")
        }
        // A half turn does not change the picture's size.
        let turned = try bench.run("edit", id, "--with", "croprotate", "--set", "turns=2")
        #expect(turned.errors.contains("regions"), "\(turned.errors)")
        for arguments in ways { #expect(try export(arguments).names.isEmpty, "\(arguments)") }
        // The regions stay dropped after the next edit, and return after both edits are undone.
        #expect(try bench.run("edit", id, "--with", "sepia").errors.contains("regions"))
        for _ in 0..<2 { _ = try bench.run("undo", id) }
        #expect(try bench.run("rerender", id, "--force").status == 0)
        let (names, errors) = try export(["--format", "tiff"])
        #expect(names.contains("Ann") && errors.isEmpty)
    }

    @Test(
        "-no-location removes locations from XMP with any namespace prefix",
        arguments: ["jpeg", "png"])
    func oddPrefixes(_ format: String) throws {
        let bench = try Workbench()
        let xmp = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <r:Description r:about="" xmlns:e="http://ns.adobe.com/exif/1.0/" e:GPSLatitude="48,30.5N"
              xmlns:p="http://ns.adobe.com/photoshop/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
            <p:City>Ravensburg</p:City><dc:format>kept</dc:format>
            <i:LocationShown xmlns:i="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"><r:Bag><r:li
              r:parseType="Resource"><i:City>Weingarten</i:City></r:li></r:Bag></i:LocationShown>
            </r:Description></r:RDF></x:xmpmeta>
            """
        let data = try TestPicture.gradient().encoded(format) {
            $0.set("xmp-data", to: Array(xmp.utf8))
        }
        let path = try bench.folder.write(data, to: "a.\(format)")
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        let folder = bench.folder.file("out")
        let made = try bench.json("export", id, "--no-location", "--to", folder)
        let file = try #require(made.first?["path"] as? String)
        let before = try exiftool(["-XMP", "-b", path])
        let after = try exiftool(["-XMP", "-b", file])
        for word in ["48,30", "Ravensburg", "Weingarten"] {
            #expect(before.contains(word) && !after.contains(word), "\(word)")
        }
        #expect(after.contains("kept"))
    }

    private func tags(of path: String) throws -> [String: Any] {
        let json = try exiftool(["-j", "-G1", "-a", "-n", path])
        let all = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
        return try #require(all?.first)
    }

    private static let names = ["GPS", "City", "Country", "Location", "Province", "Sublocation"]

    private func expectNoPlace(_ path: String, _ comment: Comment) throws {
        let places = try tags(of: path).keys.filter { tag in
            tag != "SourceFile" && Self.names.contains { tag.contains($0) }
        }
        #expect(places.isEmpty, "\(places), \(comment)")
        // No trace remains in unused parts of the file either.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for word in ["Reykjavik", "Harbour", "Iceland"] {
            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word), \(comment)")
        }
    }

    @Test(
        "-no-location removes only the location",
        arguments: ["jpeg", "png", "webp", "tiff", "avif", "jxl"])
    func noLocation(format: String) throws {
        let bench = try Workbench()
        let id = try imported(bench)
        let folder = bench.folder.file("out")
        let made = try bench.json("export", id, "--format", format, "--no-location", "--to", folder)
        let path = try #require(made.first?["path"] as? String)
        try expectNoPlace(path, "\(format)")
        let kept = try tags(of: path)
        #expect(kept["IFD0:Make"] as? String == "Maker")
        #expect(kept["ExifIFD:DateTimeOriginal"] as? String == "2020:02:29 23:59:58")
        #expect(kept["ExifIFD:UserComment"] as? String == "a comment")
        #expect(kept["XMP-dc:Title"] as? String == "A title")
        // Without the option, everything is present.
        let whole = try bench.json("export", id, "--format", format, "--to", folder)
        let named = try tags(of: try #require(whole.first?["path"] as? String))
        #expect(named.keys.contains { $0.hasPrefix("GPS:") })
        #expect(named["XMP-photoshop:City"] as? String == "Reykjavik")
    }

    @Test("-metadata none keeps the colour profile and does not hand out the stored bytes")
    func none() throws {
        let bench = try Workbench()
        let id = try imported(bench)
        let folder = bench.folder.file("out")
        let made = try bench.json("export", id, "--metadata", "none", "--to", folder)
        let path = try #require(made.first?["path"] as? String)
        try expectNoPlace(path, "none")
        let tags = try tags(of: path)
        #expect(tags["IFD0:Make"] == nil && tags["XMP-dc:Title"] == nil)
        for option in [["--metadata", "none"], ["--no-location"]] {
            let refused = try bench.run(
                ["export", id, "--version", "original", "--to", folder] + option)
            #expect(refused.status == 64 && refused.errors.contains("byte for byte"))
        }
    }

    @Test(
        "locations in every form of XMP are removed",
        arguments: [
            "<photoshop:City>Reykjavik</photoshop:City>", "<photoshop:City >Reykjavik",
            "<photoshop:City>Reykjavik</photoshop:City",
            "<rdf:Description photoshop:City='Reykjavik'/>",
            "<rdf:Description photoshop:City = \"Reykjavik",
            "<rdf:Description photoshop:City=\"Reykjavik\(String(repeating: "k", count: 5000))\"/>",
            "<Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li Iptc4xmpExt:City='Reykjavik'/></rdf:Bag>"
                + "</Iptc4xmpExt:LocationShown>",
            "<photoshop:City/><photoshop:City><photoshop:State>Reykjavik</photoshop:State></photoshop:City>",
        ])
    func forms(_ property: String) throws {
        let bench = try Workbench()
        let path = try bench.picture()
        let packet = try bench.folder.write(
            Data(
                "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF>\(property)</rdf:RDF></x:xmpmeta>"
                    .utf8),
            to: "packet.xmp")
        _ = try exiftool(["-q", "-m", "-overwrite_original", "-XMP<=\(packet)", path])
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        let folder = bench.folder.file("out")
        let made = try bench.json("export", id, "--no-location", "--to", folder)
        try expectNoPlace(try #require(made.first?["path"] as? String), "\(property.prefix(80))")
        let original = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(original.range(of: Data("Reykjavik".utf8)) != nil)
    }

    @Test("a GIF, which cannot hold metadata, is copied with all its frames")
    func gif() throws {
        let bench = try Workbench()
        let path = bench.folder.file("moving.gif")
        let bytes = try TestPicture.gradient().encoded("gif")
        try bytes.write(to: URL(fileURLWithPath: path))
        _ = try bench.run("import", path)
        let id = try #require(try bench.json("list").first?["id"] as? String)
        _ = try bench.run("set", id, "--title", "Moving", "--rating", "5")
        let result = try bench.json(
            "export", id, "--metadata", "library", "--to", bench.folder.file("out"))
        let exported = try #require(result.first?["path"] as? String)
        #expect(exported.hasSuffix("/moving.gif"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: exported)) == bytes)
    }

    @Test("an animated GIF keeps its frames when its metadata is removed")
    func moving() throws {
        let bench = try Workbench()
        let path = bench.folder.file("moving.gif")
        let made = try runProgram(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=32x24:rate=5",
                "-frames:v", "3", path,
            ])
        #expect(made.status == 0, "\(made.errors)")
        _ = try exiftool(["-q", "-overwrite_original", "-XMP-photoshop:City=Reykjavik", path])
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        for option in [["--no-location"], ["--metadata", "none"], ["--metadata", "copyright"]] {
            let result = try bench.run(
                ["export", id, "--to", bench.folder.file("out \(option)")] + option)
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
            let exported = bench.folder.file("out \(option)/moving.gif")
            #expect(try exiftool(["-s3", "-FrameCount", exported]) == "3\n")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: exported))
            #expect(bytes.range(of: Data("Reykjavik".utf8)) == nil)
        }
    }

    @Test("a phone's HEIC stays HEIC with identical pixels when its location is removed", .corpus)
    func heic() throws {
        let bench = try Workbench()
        let path = try Corpus.path("cameras/IMG_7943.HEIC")
        let id = try #require(try bench.json("import", path).first?["id"] as? String)
        let result = try bench.json(
            "export", id, "--no-location", "--to", bench.folder.file("out"))
        let exported = try #require(result.first?["path"] as? String)
        #expect(exported.hasSuffix(".HEIC"))
        #expect(try exiftool(["-n", "-s3", "-gps:all", exported]).isEmpty)
        let kept = try exiftool(["-n", "-s3", "-Model", "-LensModel", exported])
        #expect(try exiftool(["-n", "-s3", "-Model", "-LensModel", path]) == kept && !kept.isEmpty)
        let size = { (path: String) in
            try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        }
        #expect(try size(exported) == size(path))
    }
}
