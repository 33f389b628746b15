// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// Randomly damaged metadata, which must be read or ignored without ending the runner.
enum MetadataMutations {
    /// The kind of metadata that is damaged.
    enum Kind: String, CaseIterable, Sendable {
        case sidecar, exif, xmp, iptc, pngTexts
    }

    /// Reads `count` damaged files, and also encodes some of them with their metadata.
    static func run(_ kind: Kind, _ count: Int) throws {
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let runner = try TestRunner()
        let (start, block, end) = try parts(kind)
        for round in 0..<count {
            let damaged = Array(Fuzz.mutated(Data(block), using: &random))
            let bytes = start(damaged) + damaged + end(damaged)
            let file = try TestFile(bytes)
            do {
                try withExtendedLifetime(file) {
                    if kind == .sidecar {
                        _ = try runner.request(.readSidecar, [(.sidecar, file.number)])
                    } else {
                        try read(file, by: runner, isEncoded: round % 16 == 0, &random)
                    }
                }
            } catch {
                Issue.record("\(kind), seed \(seed), round \(round): \(error)")
                return
            }
        }
    }

    private static func read(
        _ file: TestFile, by runner: TestRunner, isEncoded: Bool,
        _ random: inout SeededGenerator
    ) throws {
        let input = RenderInput(base: .encoded(.unknown))
        _ = try runner.request(
            .run(RenderJob(input: input, output: .facts)), [(.base, file.number)])
        guard isEncoded else { return }
        var moved = input
        moved.movesPixels = Bool.random(using: &random) ? true : nil
        let format = Fuzz.pick([MediaFormat.jpeg, .png, .tiff, .webp, .jxl], using: &random)
        var settings = EncodeSettings(format: format, size: PixelSize(width: 4, height: 4))
        if Bool.random(using: &random) {
            settings.metadataChanges = try MetadataChangesTests.changes()
        }
        let output = try TestFile()
        try withExtendedLifetime(output) {
            _ = try runner.request(
                .run(RenderJob(input: moved, output: .encoded(settings))),
                [
                    (.base, file.number), (.metadataSource, file.number),
                    (.output, output.number),
                ])
        }
    }

    // MARK: - Whole files

    private typealias Around = ([UInt8]) -> [UInt8]

    /// A block of metadata, and the file contents before and after it.
    private static func parts(_ kind: Kind) throws -> (Around, [UInt8], Around) {
        let picture = try TestPicture.image(width: 8, height: 8).encoded(
            saver: "jpegsave_buffer", options: ["strip": true])
        func segment(_ marker: UInt8, _ mark: String) -> Around {
            { block in
                let length = block.count + mark.utf8.count + 2
                return picture[..<2] + [0xFF, marker] + FileNumber.big(length, 2) + mark.utf8
            }
        }
        let rest: Around = { _ in Array(picture[2...]) }
        switch kind {
        case .sidecar: return ({ _ in [] }, packet, { _ in [] })
        case .xmp: return (segment(0xE1, "http://ns.adobe.com/xap/1.0/\0"), packet, rest)
        case .exif: return (segment(0xE1, "Exif\0\0"), try exif(), rest)
        case .iptc: return (segment(0xED, "Photoshop 3.0\0"), iptc, rest)
        case .pngTexts:
            let png = try TestPicture.png(width: 8, height: 8).bytes
            return ({ _ in Array(png[..<33]) }, pngTexts, { _ in Array(png[33...]) })
        }
    }

    private static let packet = Array(
        PictureFacts.packet(
            """
            <dc:title><rdf:Alt><rdf:li xml:lang="x-default">A &amp; B</rdf:li></rdf:Alt></dc:title>
            <dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li rdf:parseType="Resource"><rdf:value>boat</rdf:value>
            </rdf:li></rdf:Bag></dc:subject><exif:SubjectArea><rdf:Seq><rdf:li>1</rdf:li><rdf:li>2</rdf:li>
            </rdf:Seq></exif:SubjectArea><mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:AppliedToDimensions
            stDim:w="8" stDim:h="8" stDim:unit="pixel"/></mwg-rs:Regions><!-- x --><![CDATA[y]]>
            """,
            attributes: """
                xmp:Rating="3" exif:DateTimeOriginal="2020-01-02T03:04:05+01:00" exif:GPSLatitude="1,2.5N"
                exif:GPSLongitude="3,4,5E" xmlns:GPano="http://ns.google.com/photos/1.0/panorama/"
                GPano:FullPanoWidthPixels="8"
                xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
                xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#"
                """
        ).utf8)

    /// An EXIF block with all directories, a thumbnail and a position.
    private static func exif() throws -> [UInt8] {
        let tool = try ExifTool()
        let plain = try PictureFacts.picture()
        let path = try tool.file(plain, "thumbnail.jpg")
        let file = try tool.tagging(
            plain, "jpg",
            [
                "-EXIF:Make=Maker", "-EXIF:DateTimeOriginal=2020:01:02 03:04:05",
                "-EXIF:GPSLatitude=1.5", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=2",
                "-EXIF:GPSLongitudeRef=E", "-EXIF:SubjectArea=3 4 5 6", "-EXIF:XPTitle=t",
                "-EXIF:UserComment=c", "-EXIF:Rating=3", "-EXIF:InteropIndex=R98",
                "-IFD1:ThumbnailImage<=\(path)",
            ]
        ).bytes
        let mark = try #require(file.firstRange(of: Array("Exif\0\0".utf8)))
        let length = Int(file[mark.lowerBound - 2]) << 8 | Int(file[mark.lowerBound - 1])
        return Array(file[mark.upperBound..<mark.lowerBound - 2 + length])
    }

    private static let iptc: [UInt8] = {
        func record(_ record: UInt8, _ dataset: UInt8, _ text: String) -> [UInt8] {
            [0x1C, record, dataset] + FileNumber.big(text.utf8.count, 2) + text.utf8
        }
        let records =
            record(1, 90, "\u{1B}%G") + record(2, 5, "Title") + record(2, 25, "sea")
            + record(2, 55, "20200102") + record(2, 60, "030405+0100") + record(2, 90, "Oslo")
        return Array("8BIM\u{4}\u{4}\0\0".utf8) + FileNumber.big(records.count, 4) + records
    }()

    /// Chunks with wrong checksums, which libpng accepts or rejects.
    private static let pngTexts: [UInt8] = {
        func chunk(_ type: String, _ text: String) -> [UInt8] {
            FileNumber.big(text.utf8.count, 4) + type.utf8 + text.utf8 + [0, 0, 0, 0]
        }
        let digits = "45786966000049492a0008000000"
        return chunk("tEXt", "Raw profile type exif\0\nexif\n      14\n\(digits)\n")
            + chunk("iTXt", "XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta/>")
            + chunk("eXIf", "II*\0\u{8}\0\0\0\0\0")
    }()
}

@Suite("damaged metadata")
struct MetadataMutationTests {
    @Test("damaged metadata is harmless", arguments: MetadataMutations.Kind.allCases)
    func some(kind: MetadataMutations.Kind) throws { try MetadataMutations.run(kind, 150) }
}

/// The same with many more mutations.
@Suite("damaged metadata, exhaustive", .torture)
struct MetadataMutationTorture {
    @Test(
        "100,000 mutations of each kind of metadata are harmless",
        arguments: MetadataMutations.Kind.allCases)
    func many(kind: MetadataMutations.Kind) throws { try MetadataMutations.run(kind, 100_000) }
}
