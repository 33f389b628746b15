// SPDX-License-Identifier: Apache-2.0

import ImageMetadata
import RunnerProtocol
import Testing

/// Names of persons that are omitted from outputs.
@Suite("XMP without persons")
struct XMPPeopleTests {
    private func packet(_ declaration: String, _ property: String) -> String {
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
         xmlns:a="\(declaration)" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="kept">
         <a:\(property)>Ann</a:\(property)></rdf:Description></rdf:RDF></x:xmpmeta>
        """
    }

    /// Returns the packet of an output.
    private func output(
        _ packet: XMPPacket?, exif: [UInt8]? = nil, _ omitted: EncodeSettings.OmittedMetadata
    ) -> OutputMetadata {
        var settings = EncodeSettings(format: .jpeg)
        settings.omittedMetadata = omitted
        return OutputMetadata(
            MetadataBlocks(
                exif: nil, exifBlock: exif, xmp: packet, hasExtendedXMP: false, iptc: nil,
                hasExcessiveExif: false, movieDate: nil), settings)
    }

    private func text(_ packet: XMPPacket?) -> String? {
        packet.map { String(decoding: $0.text, as: UTF8.self) }
    }

    @Test(
        "names are removed, however their namespace is written",
        arguments: [
            ("http://iptc.org/std/Iptc4xmpExt/2008-02-29/", "PersonInImage"),
            ("http://iptc.org/std/Iptc4xmpExt/2008-02-29", "PersonInImage"),
            ("http&#58;//iptc.org/std/Iptc4xmpExt/2008-02-29&#x2F;", "PersonInImage"),
            ("http://www.metadataworkinggroup.com/schemas/regions", "Regions"),
            ("http://xmp.gettyimages.com/gift/1.0", "Personality"),
            ("http://prismstandard.org/namespaces/basic/2.0/", "person"),
            ("http://prismstandard.org/namespaces/basic/2.1/", "person"),
            ("http://ns.adobe.com/DICOM/", "PatientName"),
        ])
    func removed(namespace: String, property: String) throws {
        let whole = packet(namespace, property)
        let new = try #require(text(output(XMPPacket(Array(whole.utf8)), .people).xmp))
        #expect(!new.contains("Ann") && new.contains("kept"))
    }

    @Test("names are removed from UTF-16", arguments: [true, false], [true, false])
    func utf16(isBigEndian: Bool, hasMark: Bool) throws {
        let whole = packet("http://iptc.org/std/Iptc4xmpExt/2008-02-29/", "PersonInImage")
        let units = Array(((hasMark ? "\u{FEFF}" : "") + whole).utf16)
        let bytes = units.flatMap { unit -> [UInt8] in
            let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isBigEndian ? pair : pair.reversed()
        }
        let new = try #require(text(output(XMPPacket.decoded(bytes), .people).xmp))
        #expect(!new.contains("Ann") && new.contains("kept"))
        // A packet that was not converted is removed completely.
        for omitted in [EncodeSettings.OmittedMetadata.people, .location] {
            #expect(output(XMPPacket(bytes), omitted).xmp == nil)
        }
    }

    @Test("XMP inside EXIF is removed")
    func insideExif() throws {
        let value = Array(packet("http://prismstandard.org/namespaces/basic/2.0/", "person").utf8)
        // One directory with a single entry, whose bytes follow it.
        let number = { (number: Int, count: Int) in
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let entry = number(700, 2) + number(1, 2) + number(value.count, 4) + number(26, 4)
        let block =
            Array("II*\0".utf8) + number(8, 4) + number(1, 2) + entry + number(0, 4) + value
        let kept = try #require(
            OutputMetadata(
                MetadataBlocks(
                    exif: nil, exifBlock: block, xmp: nil, hasExtendedXMP: false, iptc: nil,
                    hasExcessiveExif: false, movieDate: nil), EncodeSettings(format: .jpeg)
            ).modifiedBlock(nil, limit: 1 << 16))
        #expect(kept == block)
        let bytes = output(nil, exif: block, .people).modifiedBlock(nil, limit: 1 << 16) ?? []
        #expect(!String(decoding: bytes, as: UTF8.self).contains("Ann"))
    }
}
