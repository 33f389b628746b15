// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// XMP that barely fits into a JPEG.
@Suite("long XMP")
struct LongXMPTests {
    private static func packet(_ properties: String, padding: Int = 0) -> String {
        """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about="" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
            xmlns:dc="http://purl.org/dc/elements/1.1/" photoshop:Headline="A headline">
           \(properties)
          </rdf:Description>
         </rdf:RDF>
        </x:xmpmeta>
        """ + String(repeating: " ", count: padding) + "<?xpacket end=\"w\"?>"
    }

    private static func encoded(
        _ packet: String, keepingPixels: Bool = false
    ) throws -> [String: String] {
        let tool = try ExifTool()
        let path = try tool.file(Array(packet.utf8), "packet.xmp")
        // A PNG can hold a packet of any size.
        let ending = keepingPixels ? "jpg" : "png"
        let bytes = try TestPicture.image(width: 40, height: 30)
            .encoded(saver: keepingPixels ? "jpegsave_buffer" : "pngsave_buffer", options: [:])
        let file = try tool.tagging(bytes, ending, ["-XMP<=\(path)"])
        var settings = EncodeSettings(format: .jpeg)
        settings.keepsPixels = keepingPixels ? true : nil
        var changes = MetadataChanges()
        changes.title = .set("The title")
        changes.rating = .set(4)
        settings.metadataChanges = changes
        let job = RenderJob(
            input: RenderInput(base: .encoded(keepingPixels ? .jpeg : .png)),
            output: .encoded(settings))
        let target = try TestFile()
        let reply = try withExtendedLifetime(file) {
            try TestRunner().request(
                .run(job),
                [(.base, file.number), (.metadataSource, file.number), (.output, target.number)])
        }
        guard case .rendered = reply else { throw unexpected(reply) }
        return try tool.read(target)
    }

    private func expectChanges(_ tags: [String: String], _ comment: Comment) {
        #expect(tags["XMP-dc:Title"] == "The title", comment)
        #expect(tags["XMP-xmp:Rating"] == "4", comment)
        #expect(tags["XMP-photoshop:Headline"] == "A headline", comment)
    }

    @Test("padding at the end of a packet takes no space")
    func padding() throws {
        for keepsPixels in [true, false] {
            let tags = try Self.encoded(
                Self.packet("", padding: 64_000), keepingPixels: keepsPixels)
            expectChanges(tags, "keeping pixels: \(keepsPixels)")
        }
    }

    @Test("a packet that just fits stays whole, and a longer one is split in two")
    func large() throws {
        for count in [62_000, 80_000] {
            let text = String(repeating: "x", count: count)
            let tags = try Self.encoded(
                Self.packet("<photoshop:History>\(text)</photoshop:History>"))
            expectChanges(tags, "\(count)")
            #expect(tags["XMP-photoshop:History"] == text)
            #expect((tags["XMP-xmpNote:HasExtendedXMP"] == nil) == (count < 65_000))
        }
    }

    @Test("a packet with tens of thousands of elements keeps them after a change")
    func many() throws {
        let items = (0..<60_000).map { "<rdf:li>\($0)</rdf:li>" }.joined()
        let tags = try Self.encoded(
            Self.packet(
                "<photoshop:DocumentAncestors><rdf:Bag>\(items)</rdf:Bag></photoshop:DocumentAncestors>"
            ))
        expectChanges(tags, "many")
    }
}
