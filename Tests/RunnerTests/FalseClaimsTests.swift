// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// XMP of a file that is not true of a picture rendered from it.
@Suite("claims that no longer hold for an output")
struct FalseClaimsTests {
    private static let packet = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
         xmlns:cam="http://ns.google.com/photos/1.0/camera/" cam:MotionPhoto="1"
         cam:MotionPhotoVersion="1" cam:MicroVideo="1" cam:MicroVideoOffset="77" cam:SpecialTypeID="x"
         xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"
         xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="ABCD"
         xmlns:Container="http://ns.google.com/photos/1.0/container/"
         xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
         xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
         xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
         xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/"
         xmlns:dc="http://purl.org/dc/elements/1.1/">
        <HDRGainMap:HDRGainMapVersion>65536</HDRGainMap:HDRGainMapVersion>
        <Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item
         Item:Semantic="MotionPhoto" Item:Length="77"/></rdf:li></rdf:Seq></Container:Directory>
        <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag><rdf:li
         rdf:parseType="Resource"><mwg-rs:Name>Somebody</mwg-rs:Name><mwg-rs:Area stArea:x="0.5"
         stArea:y="0.5" stArea:w="0.1" stArea:h="0.1"/></rdf:li></rdf:Bag></mwg-rs:RegionList>
        </mwg-rs:Regions><dc:creator><rdf:Seq><rdf:li>An artist</rdf:li></rdf:Seq></dc:creator>
        </rdf:Description></rdf:RDF></x:xmpmeta>
        """

    private static func encode(
        _ size: PixelSize?, orientation: Int = 1, format: MediaFormat = .png
    ) throws -> (tags: [String: String], bytes: [UInt8]) {
        let tool = try ExifTool()
        let path = try tool.file(Array(packet.utf8), "packet.xmp")
        let bytes = try TestPicture.image(width: 64, height: 48).encoded(
            saver: "jpegsave_buffer", options: ["strip": true])
        let original = try tool.tagging(
            bytes, "jpg", ["-XMP<=\(path)", "-EXIF:Orientation=\(orientation)"])
        let file = try TestFile()
        let job = RenderJob(
            input: RenderInput(base: .encoded(.unknown)),
            output: .encoded(EncodeSettings(format: format, size: size)))
        let reply = try TestRunner().request(
            .run(job),
            [(.base, original.number), (.metadataSource, original.number), (.output, file.number)])
        guard case .rendered = reply else { throw unexpected(reply) }
        return (try tool.read(file), file.bytes)
    }

    @Test(
        "an output without video and gain map has no tags for them",
        arguments: [MediaFormat.jpeg, .png, .tiff])
    func otherParts(format: MediaFormat) throws {
        let (tags, bytes) = try Self.encode(nil, format: format)
        let claims = [
            "MotionPhoto", "MicroVideo", "HDRGainMapVersion", "DirectoryItem", "HasExtended",
        ]
        for claim in claims { #expect(!tags.keys.contains { $0.contains(claim) }, "\(tags)") }
        for word in [
            "MotionPhoto", "MicroVideo", "hdrgm:Version", "HDRGainMapVersion",
            "Container:Directory", "HasExtendedXMP=", "Item:Length",
        ] {
            #expect(bytes.firstRange(of: Array(word.utf8)) == nil, "\(word)")
        }
        #expect(tags["XMP-dc:Creator"] == "An artist")
        // PNG and TIFF may compress the packet.
        if format == .jpeg { #expect(bytes.firstRange(of: Array("SpecialTypeID".utf8)) != nil) }
    }

    @Test(
        "faces are kept at the same or a smaller size and dropped after rotation"
    )
    func regions() throws {
        #expect(try Self.encode(nil).tags["XMP-mwg-rs:RegionName"] == "Somebody")
        let small = try Self.encode(PixelSize(width: 32, height: 32)).tags
        #expect(small["XMP-mwg-rs:RegionName"] == "Somebody")
        #expect(small["XMP-dc:Creator"] == "An artist")
        #expect(try Self.encode(nil, orientation: 3).tags["XMP-mwg-rs:RegionName"] == nil)
    }
}
