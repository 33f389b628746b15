// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import TestSupport

@Suite("properties of corpus files", .corpus)
struct CorpusFactsTests {
    @Test("P-02 P-05 P-07 P-12 dates, locations, bursts and content identifiers match the manifest")
    func manifest() throws {
        let runner = try TestRunner()
        let rows = try Corpus.photos()
        #expect(rows.count > 20)
        for row in rows {
            let name = try #require(row["path"])
            let file = try TestFile(path: try Corpus.path(name))
            let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: .facts)
            let reply = try runner.request(.run(job), [(.base, file.number)])
            guard case .rendered(let report) = reply else { throw unexpected(reply) }
            #expect(!report.warnings.contains { $0.contains("EXIF") }, "\(name)")
            let facts = try #require(report.facts)
            #expect(facts.creationDate?.text == Corpus.date(row), "\(name)")
            expect(facts.location?.latitude, row["gps_lat"], name)
            expect(facts.location?.longitude, row["gps_lon"], name)
            let burst = facts.metadata?.burstIdentifier ?? ""
            #expect(burst == row["burst_id"] ?? "", "\(name)")
            let content = facts.metadata?.contentIdentifier ?? ""
            #expect(content == row["live_content_id"] ?? "", "\(name)")
            let isScreenshot = name.contains("screenshot")
            #expect(facts.mediaSubtypes.contains(.photoScreenshot) == isScreenshot, "\(name)")
        }
    }

    /// The value of the first of these tags that is present.
    private func first(_ names: [String], in tags: [String: String]) -> String? {
        names.lazy.compactMap { tags[$0] }.first
    }

    @Test("titles, descriptions, labels, ratings and exposure times match ExifTool")
    func texts() throws {
        let tool = try ExifTool()
        var found = 0
        for row in try Corpus.photos() {
            let name = try #require(row["path"])
            let file = try TestFile(path: try Corpus.path(name))
            let metadata = try #require(try PictureFacts.of(file).metadata)
            let tags = try tool.read(file)
            #expect(
                metadata.title
                    == first(["XMP-dc:Title", "IPTC:ObjectName", "IFD0:XPTitle"], in: tags),
                "\(name)")
            let description = first(
                [
                    "XMP-dc:Description", "IPTC:Caption-Abstract", "IFD0:ImageDescription",
                    "IFD0:XPComment",
                ], in: tags)
            #expect(metadata.descriptionText == description?.trimmingBlanks, "\(name)")
            #expect(metadata.label == tags["XMP-xmp:Label"], "\(name)")
            let rating = first(["XMP-xmp:Rating", "IFD0:Rating"], in: tags)
            #expect(metadata.rating == rating.flatMap { Int($0) }, "\(name)")
            let time = first(
                ["ExifIFD:ExposureTime", "IFD0:ExposureTime", "XMP-exif:ExposureTime"], in: tags)
            expect(metadata.exposureTime, time, name)
            found += [metadata.title, description, time].compactMap(\.self).count
        }
        #expect(found > 10)
    }

    @Test("camera settings match ExifTool")
    func settings() throws {
        let tool = try ExifTool()
        var found = 0
        for row in try Corpus.photos() {
            let name = try #require(row["path"])
            let file = try TestFile(path: try Corpus.path(name))
            let settings = try PictureFacts.of(file).metadata?.settings
            let tags = try tool.read(file)
            func number(_ tag: String) -> Double? {
                first(["ExifIFD:\(tag)", "IFD0:\(tag)"], in: tags).flatMap { Double($0) }
            }
            func positive(_ tag: String) -> Double? { number(tag).flatMap { $0 > 0 ? $0 : nil } }
            for (ours, theirs) in [
                (settings?.focalLength, positive("FocalLength")),
                (settings?.focalLengthIn35mmFilm, positive("FocalLengthIn35mmFormat")),
                (settings?.aperture, positive("FNumber")), (settings?.isoSpeed, positive("ISO")),
                (settings?.exposureBias, number("ExposureCompensation")),
                (settings?.flash.map(Double.init), number("Flash")),
                (settings?.subjectDistance, positive("SubjectDistance")),
                (settings?.whiteBalance.map(Double.init), number("WhiteBalance")),
            ] {
                // ExifTool prints ten digits.
                let tolerance = (theirs.map(abs) ?? 0) * 1e-6
                #expect((ours == nil) == (theirs == nil), "\(name)")
                #expect(abs((ours ?? 0) - (theirs ?? 0)) <= tolerance, "\(name)")
                found += ours == nil ? 0 : 1
            }
        }
        #expect(found > 50)
    }

    /// The media subtypes implied by ExifTool's tags.
    private func kinds(_ tags: [String: String]) -> MediaSubtype {
        var kinds: MediaSubtype = []
        let rendered = tags["ExifIFD:CustomRendered"] ?? ""
        if ["2", "3", "7"].contains(rendered) || tags["Apple:HDRImageType"] == "3"
            || tags.keys.contains(where: { $0.hasPrefix("XMP-hdrgm:") })
            || tags["XMP-HDRGainMap:HDRGainMapVersion"] != nil
            || tags["QuickTime:AuxiliaryImageType"]?.hasSuffix("hdrgainmap") == true
        {
            kinds.insert(.photoHDR)
        }
        if ["7", "8"].contains(rendered) { kinds.insert(.photoDepthEffect) }
        if rendered == "6" || tags["XMP-GPano:ProjectionType"] != nil {
            kinds.insert(.photoPanorama)
        }
        // ExifTool's versions use two names for Apple's content identifier.
        let live = [
            "Apple:ContentIdentifier", "Apple:MediaGroupUUID", "QuickTime:MotionPhotoVideo",
            "Samsung:EmbeddedVideoType",
        ]
        if live.contains(where: { tags[$0] != nil }) || tags["XMP-GCamera:MotionPhoto"] == "1"
            || tags["XMP-GCamera:MicroVideo"] == "1"
        {
            kinds.insert(.photoLive)
        }
        if tags["ExifIFD:UserComment"] == "Screenshot" { kinds.insert(.photoScreenshot) }
        return kinds
    }

    @Test("P-02 media subtypes match ExifTool's tags")
    func kinds() throws {
        let tool = try ExifTool()
        var found: MediaSubtype = []
        for row in try Corpus.photos() {
            let name = try #require(row["path"])
            let file = try TestFile(path: try Corpus.path(name))
            let subtypes = try PictureFacts.of(file).mediaSubtypes.subtracting(.animated)
            let tags = try tool.read(file)
            #expect(subtypes == kinds(tags), "\(name): \(subtypes.names)")
            found.formUnion(subtypes)
        }
        #expect(found.isSuperset(of: [.photoLive, .photoHDR, .photoScreenshot]))
    }

    @Test("Live Photo fields of Apple's maker note match ExifTool")
    func livePhotos() throws {
        let tool = try ExifTool()
        var found = 0
        for row in try Corpus.photos() {
            let name = try #require(row["path"])
            let file = try TestFile(path: try Corpus.path(name))
            let facts = try PictureFacts.of(file)
            let tags = try tool.read(file)
            let identifier = tags["Apple:ContentIdentifier"] ?? tags["Apple:MediaGroupUUID"]
            #expect(facts.metadata?.contentIdentifier == identifier, "\(name)")
            let index = tags["Apple:LivePhotoVideoIndex"].flatMap { Int($0) }
            #expect(facts.livePhotoVideoIndex == index, "\(name)")
            if index != nil { found += 1 }
        }
        #expect(found >= 2)
    }

    private func expect(_ found: Double?, _ expected: String?, _ name: String) {
        let expected = expected.flatMap(Double.init)
        #expect((found == nil) == (expected == nil), "\(name)")
        if let found, let expected { #expect(abs(found - expected) < 1e-6, "\(name)") }
    }
}
