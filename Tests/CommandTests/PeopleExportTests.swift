// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Exports without the names and regions of persons.
@Suite("export --no-people")
struct PeopleExportTests {
    private let bench: Workbench
    private let id: String

    private static let people = [
        "-RegionInfo={AppliedToDimensions={W=64,H=48,Unit=pixel},"
            + "RegionList=[{Area={X=0.25,Y=0.3,W=0.1,H=0.1,Unit=normalized},Name=Ann,Type=Face}]}",
        "-RegionInfoMP={Regions=[{PersonDisplayName=Ann,Rectangle=0.1|, 0.1|, 0.2|, 0.2}]}",
        "-XMP-iptcExt:PersonInImage=Ann", "-XMP-iptcExt:PersonInImageWDetails={PersonName=Ann}",
    ]
    private static let others = [
        "-XMP-dc:Title=Kept", "-XMP-dc:Subject=boat", "-EXIF:Make=Maker",
        "-XMP-exif:GPSLatitude=52.5", "-XMP-exif:GPSLongitude=13.25",
    ]

    /// Imports a picture with persons in its XMP.
    init() throws {
        bench = try Workbench()
        let path = try bench.folder.write(
            TestPicture.gradient(seed: 1).encoded("jpeg"), to: "photos/a.jpg")
        let tagged = try runProgram(
            "/usr/bin/env",
            ["exiftool", "-q", "-overwrite_original"] + Self.people + Self.others + [path])
        try #require(tagged.status == 0, "\(tagged.errors)")
        let rows = try bench.json("import", bench.folder.file("photos"))
        id = try #require(rows.first?["id"] as? String)
    }

    /// Exports the picture and returns the tags of the file.
    private func exported(_ options: [String]) throws -> (path: String, tags: [String: Any]) {
        let folder = bench.folder.file(options.joined() + "out")
        let made = try bench.json(["export", id, "--to", folder] + options)
        let path = try #require(made.first?["path"] as? String)
        let read = try runProgram("/usr/bin/env", ["exiftool", "-j", "-G1", "-n", path])
        let rows = try JSONSerialization.jsonObject(with: Data(read.output.utf8))
        return (path, try #require((rows as? [[String: Any]])?.first))
    }

    private func expectNoPeople(_ path: String, _ comment: Comment) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for word in ["Ann", "RegionList", "PersonInImage", "PersonDisplayName"] {
            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word), \(comment)")
        }
    }

    @Test(
        "the names and regions are removed, and all else is kept",
        arguments: [
            [], ["--format", "png"], ["--format", "webp"], ["--format", "tiff"],
            ["--format", "avif"], ["--format", "jxl"], ["--size", "32x32"],
            ["--metadata", "original"],
        ])
    func removed(options: [String]) throws {
        let (path, tags) = try exported(["--no-people"] + options)
        try expectNoPeople(path, "\(options)")
        #expect(tags["XMP-dc:Title"] as? String == "Kept")
        #expect(tags["XMP-dc:Subject"] as? String == "boat")
        #expect(tags["IFD0:Make"] as? String == "Maker")
        #expect(tags.keys.contains { $0.hasSuffix("GPSLatitude") })
        let whole = try exported(options).path
        let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        #expect(bytes.range(of: Data("PersonInImage".utf8)) != nil)
    }

    @Test("the location is removed too if both options are given, and sidecars contain neither")
    func both() throws {
        let (path, tags) = try exported(["--no-people", "--no-location", "--sidecar", "xmp"])
        for file in [path, path + ".xmp"] { try expectNoPeople(file, "\(file)") }
        #expect(!tags.keys.contains { $0.contains("GPS") })
        #expect(tags["XMP-dc:Title"] as? String == "Kept")
        let text = try String(contentsOf: URL(fileURLWithPath: path + ".xmp"), encoding: .utf8)
        #expect(text.contains("Kept") && !text.contains("GPS"))
        let other = try exported(["--sidecar", "xmp"]).path
        let whole = try String(contentsOf: URL(fileURLWithPath: other + ".xmp"), encoding: .utf8)
        #expect(whole.contains("RegionList"))
    }

    @Test("the option is a setting of presets, and does not apply to originals")
    func options() throws {
        let preset = try bench.folder.write(
            Data(#"{"exportPreset": 1, "people": false}"#.utf8), to: "preset.json")
        try expectNoPeople(exported(["--preset", preset]).path, "preset")
        let refused = try bench.run(
            "export", id, "--version", "original", "--no-people", "--to", bench.folder.file("o"))
        #expect(refused.status == 64 && refused.errors.contains("byte for byte"))
    }
}
