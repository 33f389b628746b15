// SPDX-License-Identifier: Apache-2.0

import EditingModel
import ImageMetadata
import RunnerProtocol
import Testing

/// Changes of the values in an XMP packet.
@Suite("changed XMP")
struct XMPChangesTests {
    private static let namespaces = """
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
        xmlns:lr="http://ns.adobe.com/lightroom/1.0/" \
        xmlns:digiKam="http://www.digikam.org/ns/1.0/" \
        xmlns:MicrosoftPhoto="http://ns.microsoft.com/photo/1.0/" \
        xmlns:mediapro="http://ns.iview-multimedia.com/mediapro/1.0/"
        """

    /// Returns a packet with properties.
    private func packet(_ properties: String) -> XMPPacket {
        XMPPacket(
            Array(
                """
                <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \(Self.namespaces)>
                <rdf:Description rdf:about="">\(properties)</rdf:Description></rdf:RDF></x:xmpmeta>
                """.utf8))
    }

    private func list(_ name: String, _ items: String...) -> String {
        let items = items.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        return "<\(name)><rdf:Bag>\(items)</rdf:Bag></\(name)>"
    }

    private func blocks(_ packet: XMPPacket?) -> MetadataBlocks {
        MetadataBlocks(
            exif: nil, exifBlock: nil, xmp: packet, hasExtendedXMP: false, iptc: nil,
            hasExcessiveExif: false, movieDate: nil)
    }

    private func keywords(_ packet: XMPPacket?) -> [String] {
        blocks(packet).photoMetadata.keywords
    }

    private func changed(
        _ packet: XMPPacket?, _ change: (inout MetadataChanges) -> Void
    ) throws -> (packet: XMPPacket, text: String) {
        var settings = EncodeSettings(format: .jpeg)
        var changes = MetadataChanges()
        change(&changes)
        settings.metadataChanges = changes
        let new = try #require(OutputMetadata(blocks(packet), settings).xmp)
        return (new, String(decoding: new.text, as: UTF8.self))
    }

    @Test("creators are a list of their names; a text without names removes the property")
    func creators() throws {
        let old = packet(list("dc:creator", "Old") + list("dc:subject", "boat"))
        let (new, text) = try changed(old) { $0.creator = .set("Ada; Ben") }
        #expect(blocks(new).photoMetadata.creator == "Ada; Ben")
        #expect(text.contains("<rdf:li>Ada</rdf:li>") && text.contains("<rdf:li>Ben</rdf:li>"))
        for change in [.remove, .set("; ")] as [MetadataChanges.Change<String>] {
            #expect(try !changed(old) { $0.creator = change }.text.contains("dc:creator"))
        }
    }

    // MARK: - Keywords

    @Test("a removed keyword is removed, even if a plain list contains its levels")
    func removedPath() throws {
        let old = packet(list("dc:subject", "Places|Iceland", "boat"))
        #expect(keywords(old) == ["Places|Iceland", "boat"])
        let (new, text) = try changed(old) { $0.keywords = ["boat"] }
        #expect(keywords(new) == ["boat"] && !text.contains("Iceland"))
        // Paths that stay are not added twice.
        let (other, _) = try changed(old) { $0.keywords = ["Places|Iceland", "sea"] }
        #expect(keywords(other) == ["sea", "Places|Iceland"])
    }

    @Test("the places of keywords are read from all lists, independent of case")
    func places() {
        #expect(
            keywords(
                packet(
                    list("dc:subject", "Oma", "Rome") + list("digiKam:TagsList", "People/Oma")
                        + list("mediapro:CatalogSets", "Places|Rome", "Places|Gone")))
                == ["People|Oma", "Places|Rome"])
        #expect(
            keywords(
                packet(
                    list("dc:subject", "iceland", "boat")
                        + list("lr:hierarchicalSubject", "Places|Iceland")))
                == ["boat", "Places|Iceland"])
        // A flat list contains no places.
        #expect(
            keywords(
                packet(
                    list("dc:subject", "Places", "Rome")
                        + list("lr:hierarchicalSubject", "Places|Rome")
                        + list("MicrosoftPhoto:LastKeywordXMP", "Places", "Rome")))
                == ["Places|Rome"])
    }

    @Test(
        "keywords are read as they were written",
        arguments: [
            ["A/B|C", "A|B"], ["A/B", "A|B"], ["f/2.8", "Lens|f/2.8"], ["rome", "Places|Rome"],
            ["Rome", "rome", "Places|Rome"], ["Places", "Places|Rome"],
        ])
    func roundTrip(_ words: [String]) throws {
        for old in [nil, packet(list("digiKam:TagsList", "x"))] {
            let (new, text) = try changed(old) { $0.keywords = words }
            #expect(Set(keywords(new)) == Set(words), "\(text)")
            #expect(keywords(new).count == words.count, "\(text)")
        }
    }

    @Test("a hierarchy that another program has not updated is updated")
    func outdated() throws {
        for tag in ["Places/Iceland", "Iceland", "Trips/boat"] {
            let old = packet(
                list("dc:subject", "boat") + list("lr:hierarchicalSubject", "boat")
                    + list("digiKam:TagsList", tag, "boat"))
            let (new, text) = try changed(old) { $0.keywords = ["boat"] }
            #expect(keywords(new) == ["boat"])
            #expect(!text.contains("Iceland") && !text.contains("Trips"), "\(tag)")
            #expect(try changed(new) { $0.keywords = ["boat"] }.text == text)
        }
        // Levels above a keyword are not outdated.
        let levels = packet(
            list("dc:subject", "Rome") + list("lr:hierarchicalSubject", "Places", "Places|Rome"))
        let (same, _) = try changed(levels) { $0.keywords = ["Places|Rome"] }
        #expect(same.text == levels.text)
    }

    // MARK: - Texts

    @Test("texts in other languages are kept, except copies of the replaced one")
    func languages() throws {
        let items = [("x-default", "Old"), ("en-US", "Old"), ("de", "Alt"), ("fr", "Vieux")]
        let title = { (items: ArraySlice<(String, String)>) in
            let list = items.map { "<rdf:li xml:lang=\"\($0)\">\($1)</rdf:li>" }.joined()
            return "<dc:title><rdf:Alt>\(list)</rdf:Alt></dc:title>"
        }
        let old = packet(title(items[...]))
        let (new, text) = try changed(old) { $0.title = .set("New") }
        #expect(blocks(new).photoMetadata.title == "New")
        #expect(text.contains("Alt</rdf:li>") && text.contains("Vieux") && !text.contains("Old"))
        let (removed, _) = try changed(old) {
            $0.title = .remove
            $0.rating = .set(1)
        }
        #expect(!String(decoding: removed.text, as: UTF8.self).contains("dc:title>"))
        // Without a default, the first text is shown and replaced.
        let (first, rest) = try changed(packet(title(items[2...]))) { $0.title = .set("New") }
        #expect(blocks(first).photoMetadata.title == "New")
        #expect(!rest.contains("Alt</rdf:li>") && rest.contains("Vieux"))
    }

    @Test("the colour label of digiKam follows the label")
    func labels() throws {
        let old = packet(
            "<xmp:Label>Red</xmp:Label><digiKam:ColorLabel>1</digiKam:ColorLabel>")
        for (label, number) in [("Green", 4), ("Purple", 6), ("Yellow", 3), ("White", 9)] {
            let (_, text) = try changed(old) { $0.label = .set(label) }
            #expect(text.contains("<digiKam:ColorLabel>\(number)<"), "\(text)")
            #expect(text.contains("<xmp:Label>\(label)<"))
        }
        for change in [MetadataChanges.Change.set("Select"), .remove] {
            let (_, text) = try changed(old) {
                $0.label = change
                $0.rating = .set(1)
            }
            #expect(!text.contains("ColorLabel"))
        }
    }
}
