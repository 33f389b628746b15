// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// Metadata about regions of a picture, after its pixels have moved.
@Suite("regions in the picture")
struct PictureRegionTests {
    private static let region =
        "-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=64,H=48,Unit=pixel},"
        + "RegionList=[{Area={X=0.25,Y=0.3,W=0.1,H=0.2,Unit=normalized},Name=Ann,Type=Face}]}"
    private static let microsoft =
        "-XMP-MP:RegionInfoMP={Regions=[{PersonDisplayName=Bea,Rectangle=0.1|, 0.2|, 0.3|, 0.4}]}"
    private static let panorama = [
        "-XMP-GPano:ProjectionType=equirectangular", "-XMP-GPano:CroppedAreaImageWidthPixels=64",
        "-XMP-GPano:CroppedAreaImageHeightPixels=48", "-XMP-GPano:FullPanoWidthPixels=200",
        "-XMP-GPano:FullPanoHeightPixels=100", "-XMP-GPano:CroppedAreaLeftPixels=60",
        "-XMP-GPano:CroppedAreaTopPixels=20",
    ]
    private static let all =
        [region, microsoft, "-EXIF:SubjectArea=16 12 8 6"] + panorama
        + [16, 12, 8, 6].map { "-XMP-exif:SubjectArea=\($0)" }

    private static func encode(
        _ tags: [String], size: PixelSize? = nil, movesPixels: Bool? = nil,
        omitting: EncodeSettings.OmittedMetadata? = nil
    ) throws -> (tags: [String: String], omissions: [String]) {
        let tool = try ExifTool()
        let original = try tool.tagging(try PictureFacts.picture(), "jpg", ["-EXIF:Make=M"] + tags)
        let file = try TestFile()
        var settings = EncodeSettings(format: .jpeg, size: size)
        settings.omittedMetadata = omitting
        var input = RenderInput(base: .encoded(.unknown))
        input.movesPixels = movesPixels
        let reply = try TestRunner().request(
            .run(RenderJob(input: input, output: .encoded(settings))),
            [(.base, original.number), (.metadataSource, original.number), (.output, file.number)])
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        return (try tool.read(file), report.omissions)
    }

    @Test("regions stay unchanged if every pixel does")
    func same() throws {
        let (tags, omissions) = try Self.encode(Self.all)
        #expect(omissions.isEmpty)
        #expect(tags["XMP-mwg-rs:RegionAreaX"] == "0.25")
        #expect(tags["XMP-mwg-rs:RegionAppliedToDimensionsW"] == "64")
        #expect(tags["XMP-MP:RegionPersonDisplayName"] == "Bea")
        #expect(tags["ExifIFD:SubjectArea"] == "16 12 8 6")
        #expect(tags["XMP-GPano:FullPanoWidthPixels"] == "200")
    }

    @Test("regions in pixels are scaled with the picture, and fractional ones stay")
    func smaller() throws {
        let (tags, omissions) = try Self.encode(
            Self.all, size: PixelSize(width: 32, height: 32))
        #expect(omissions.isEmpty && tags["File:ImageHeight"] == "24")
        #expect(tags["XMP-mwg-rs:RegionAreaX"] == "0.25")
        #expect(tags["XMP-mwg-rs:RegionAppliedToDimensionsW"] == "32")
        #expect(tags["XMP-mwg-rs:RegionAppliedToDimensionsH"] == "24")
        #expect(tags["XMP-MP:RegionRectangle"] == "0.1, 0.2, 0.3, 0.4")
        #expect(tags["ExifIFD:SubjectArea"] == "8 6 4 3")
        #expect(tags["XMP-exif:SubjectArea"] == "8, 6, 4, 3")
        let lengths = [
            ("CroppedAreaImageWidth", 32), ("CroppedAreaImageHeight", 24), ("FullPanoWidth", 100),
            ("FullPanoHeight", 50), ("CroppedAreaLeft", 30), ("CroppedAreaTop", 10),
        ]
        for (name, value) in lengths {
            #expect(tags["XMP-GPano:\(name)Pixels"] == "\(value)", "\(name)")
        }
    }

    @Test("regions are dropped, with a warning each, if an edit may have moved pixels")
    func moved() throws {
        let (tags, omissions) = try Self.encode(Self.all, movesPixels: true)
        for group in ["XMP-mwg-rs", "XMP-MP", "XMP-GPano"] {
            #expect(!tags.keys.contains { $0.hasPrefix("\(group):") }, "\(tags)")
        }
        #expect(!tags.keys.contains { $0.hasSuffix("SubjectArea") })
        #expect(tags["IFD0:Make"] == "M")
        #expect(omissions.count == 3)
        for word in ["regions", "GPano", "subject area"] {
            #expect(omissions.count { $0.contains(word) } == 1, "\(omissions)")
        }
        let copyright = try Self.encode(Self.all, movesPixels: true, omitting: .allButCopyright)
        #expect(copyright.omissions.isEmpty)
        #expect(!copyright.tags.keys.contains { $0.hasSuffix("SubjectArea") })
        let plain = try Self.encode(["-XMP-dc:Title=t"], movesPixels: true)
        #expect(plain.omissions.isEmpty && plain.tags["XMP-dc:Title"] == "t")
    }

    @Test("a region in pixels and one of IPTC follow the pixels")
    func other() throws {
        let region =
            "-XMP-iptcExt:ImageRegion=[{Name=Boat,RegionBoundary={RbShape=rectangle,RbUnit=UNIT,"
            + "RbX=0.1,RbY=0.2,RbW=0.3,RbH=0.4}}]"
        let small = PixelSize(width: 32, height: 32)
        let name = "XMP-iptcExt:ImageRegionName"
        for (unit, isKept) in [("relative", true), ("pixel", false)] {
            let text = region.replacingOccurrences(of: "UNIT", with: unit)
            let (tags, omissions) = try Self.encode([text], size: small)
            #expect((tags[name] == "Boat") == isKept, "\(tags)")
            #expect(omissions.isEmpty == isKept)
            #expect(try Self.encode([text]).tags[name] == "Boat")
            #expect(try Self.encode([text], movesPixels: true).tags[name] == nil)
        }
    }

    @Test(
        "the subject area follows the rotation to upright",
        arguments: [
            // Computed by hand for each orientation of a point at (10, 5) in a picture of 64 by 48.
            (1, "10 5 4 2"), (2, "53 5 4 2"), (3, "53 42 4 2"), (4, "10 42 4 2"),
            (5, "5 10 2 4"), (6, "42 10 2 4"), (7, "42 53 2 4"), (8, "5 53 2 4"),
        ])
    func turned(orientation: Int, area: String) throws {
        let (tags, omissions) = try Self.encode(
            ["-EXIF:Orientation=\(orientation)", "-EXIF:SubjectArea=10 5 4 2"])
        #expect(tags["ExifIFD:SubjectArea"] == area && omissions.isEmpty)
        let point = try Self.encode(
            ["-EXIF:Orientation=\(orientation)", "-EXIF:SubjectLocation=10 5"])
        let numbers = area.split(separator: " ").prefix(2).joined(separator: " ")
        #expect(point.tags["ExifIFD:SubjectLocation"] == numbers)
        let faces = try Self.encode(["-EXIF:Orientation=\(orientation)", Self.region])
        #expect((faces.tags["XMP-mwg-rs:RegionName"] == nil) == (orientation > 1))
        #expect(faces.omissions.isEmpty == (orientation == 1))
    }

    @Test("a subject area outside a downscaled picture is dropped")
    func outside() throws {
        let (tags, omissions) = try Self.encode(
            ["-EXIF:SubjectArea=2000 1500 80 60"], size: PixelSize(width: 32, height: 32))
        #expect(tags["ExifIFD:SubjectArea"] == nil && omissions.count == 1)
    }
}
