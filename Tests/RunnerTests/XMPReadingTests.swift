// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// Selection of the properties in a packet that describe its picture.
@Suite("XMP reading")
struct XMPReadingTests {
    private static let otherPicture = """
        <rdf:Description rdf:about="" xmp:Rating="5" xmp:Label="Purple"
         exif:DateTimeOriginal="1999-01-01T00:00:00"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">An
         ingredient</rdf:li></rdf:Alt></dc:title><dc:subject><rdf:Bag><rdf:li>foreign</rdf:li></rdf:Bag>
         </dc:subject><tiff:Orientation>6</tiff:Orientation></rdf:Description>
        """

    private static let declarations = """
        xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:stRef="http://ns.adobe.com/xap/1.0/sType/ResourceRef#"
        xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
        """

    private static func facts(_ properties: String, attributes: String = "") throws -> PhotoFacts {
        // A sidecar is passed on unchanged.
        let packet = PictureFacts.packet(properties, attributes: declarations + attributes)
        return try PictureFacts.of(
            try TestPicture.png(), sidecars: [try TestFile(Array(packet.utf8))])
    }

    @Test(
        "properties of ingredients are not those of the picture",
        arguments: [
            "<xmpMM:Pantry><rdf:Bag><rdf:li>OTHER</rdf:li></rdf:Bag></xmpMM:Pantry>",
            "<xmpMM:Ingredients><rdf:Bag><rdf:li>OTHER</rdf:li></rdf:Bag></xmpMM:Ingredients>",
            "<xmpMM:DerivedFrom>OTHER</xmpMM:DerivedFrom>",
            "<xmpMM:DerivedFrom rdf:parseType='Resource'><xmp:Rating>5</xmp:Rating><xmp:Label>x</xmp:Label><dc:title>An ingredient</dc:title></xmpMM:DerivedFrom>",
            "<xmpMM:Pantry><rdf:RDF>OTHER</rdf:RDF></xmpMM:Pantry>",
            "<!-- <xmp:Rating>5</xmp:Rating> xmp:Rating='5' OTHER -->",
            "<xmp:Nickname><![CDATA[<xmp:Rating>5</xmp:Rating>OTHER]]></xmp:Nickname>",
            "<?note <xmp:Rating>5</xmp:Rating> ?>",
        ])
    func composites(properties: String) throws {
        let text = properties.replacingOccurrences(of: "OTHER", with: Self.otherPicture)
        let alone = try Self.facts(text)
        let metadata = alone.metadata
        #expect(metadata?.rating == nil && metadata?.label == nil && metadata?.title == nil)
        #expect(metadata?.keywords == [] && alone.creationDate == nil)
        let own = try Self.facts(
            text + "<xmp:Rating>2</xmp:Rating><dc:title>Own</dc:title>",
            attributes: " xmp:Label='Red' exif:DateTimeOriginal='2005-05-05T05:05:05'")
        #expect(own.metadata?.rating == 2 && own.metadata?.title == "Own")
        #expect(own.metadata?.label == "Red" && own.metadata?.keywords == [])
        #expect(own.creationDate?.text == "2005-05-05T05:05:05")
    }

    @Test("CDATA is text, comments are ignored, and references become characters")
    func texts() throws {
        let facts = try Self.facts(
            """
            <dc:title><rdf:Alt><!-- a <b> --><rdf:li xml:lang="x-default"><![CDATA[A <b> & c]]> &amp; d<!--
            not this --> e</rdf:li></rdf:Alt></dc:title>
            <dc:description><![CDATA[One]]> &#228;</dc:description>
            <dc:subject><rdf:Bag><rdf:li><![CDATA[x & y]]></rdf:li><!-- <rdf:li>no</rdf:li> -->
            <rdf:li>a > b</rdf:li></rdf:Bag></dc:subject>
            <xmp:Rating><!-- 1 -->4</xmp:Rating>
            """, attributes: " xmp:Label='a &lt; > b'")
        #expect(facts.metadata?.title == "A <b> & c & d e")
        #expect(facts.metadata?.descriptionText == "One \u{E4}")
        #expect(facts.metadata?.keywords == ["x & y", "a > b"])
        #expect(facts.metadata?.rating == 4 && facts.metadata?.label == "a < > b")
    }

    @Test("a namespace may have any prefix, and the usual prefix another namespace")
    func prefixes() throws {
        let packet = """
            <a:xmpmeta xmlns:a="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <r:Description xmlns:q="http://ns.adobe.com/xap/1.0/" q:Rating="3" xmlns:dc="https://example.org/">
            <dc:title>Not this</dc:title><d:subject xmlns:d="http://purl.org/dc/elements/1.1/"><r:Bag>
            <r:li>sea</r:li></r:Bag></d:subject></r:Description></r:RDF></a:xmpmeta>
            """
        let facts = try PictureFacts.of(
            try TestPicture.png(), sidecars: [try TestFile(Array(packet.utf8))])
        #expect(facts.metadata?.rating == 3 && facts.metadata?.keywords == ["sea"])
        #expect(facts.metadata?.title == nil)
    }

    @Test("properties before a syntax error are read")
    func truncated() throws {
        let packet = PictureFacts.packet(
            "<xmp:Rating>3</xmp:Rating><dc:title>A title</dc:title>"
                + "<dc:description>something long</dc:description>")
        let place = try #require(packet.range(of: "long")).lowerBound
        for text in [
            String(packet[..<place]), String(packet[..<place]) + "<!-- ",
            packet.replacingOccurrences(of: "</dc:description>", with: "</other>"),
        ] {
            let facts = try PictureFacts.of(
                try TestPicture.png(), sidecars: [try TestFile(Array(text.utf8))])
            #expect(facts.metadata?.rating == 3 && facts.metadata?.title == "A title")
            #expect(facts.metadata?.descriptionText == nil)
        }
    }

    @Test(
        "orientation and size of ingredients stay, and the picture's become the output's"
    )
    func outputs() throws {
        let tool = try ExifTool()
        let packet = PictureFacts.packet(
            "<xmpMM:Pantry><rdf:Bag><rdf:li>\(Self.otherPicture)</rdf:li></rdf:Bag></xmpMM:Pantry>"
                + "<tiff:ImageWidth>7</tiff:ImageWidth>",
            attributes: Self.declarations + " tiff:Orientation='1'")
        let path = try tool.file(Array(packet.utf8), "packet.xmp")
        let original = try tool.tagging(
            try PictureFacts.picture("jpeg"), "jpg", ["-XMP<=\(path)"])
        let (_, _, file) = try MetadataChangesTests.encode(original, .jpeg, MetadataChanges())
        let text = String(decoding: file.bytes, as: UTF8.self)
        #expect(text.contains("<tiff:Orientation>6</tiff:Orientation>"))
        #expect(!text.contains("<tiff:ImageWidth>7<"))
    }

    @Test("16 MB of any content are read, and only once")
    func large() throws {
        let size = (16 << 20) - 4096
        func filled(_ part: String, _ before: String = "", _ after: String = "") -> String {
            PictureFacts.packet(
                "<xmp:Rating>3</xmp:Rating>" + before
                    + String(repeating: part, count: size / part.utf8.count) + after)
        }
        for text in [
            filled("<rdf:li>word</rdf:li>", "<dc:subject><rdf:Bag>", "</rdf:Bag></dc:subject>"),
            filled("<xmp:a/>"), filled("<xmp:Rating>"), filled("<dc:subject><rdf:Bag><rdf:li>"),
            filled(" "), filled("<![CDATA[x]]>", "<dc:title>", "</dc:title>"),
            filled("<!---->", "<dc:title>", "</dc:title>"), filled("<"), filled("<a b='"),
            filled("x='1' ", "<xmp:b ", "/>"), filled("&amp;", "<dc:title>", "</dc:title>"),
        ] {
            var time = 0.0
            let facts = try PictureFacts.of(
                try TestPicture.png(), sidecars: [try TestFile(Array(text.utf8))]
            ) { time = $0 }
            if time > 4 { print("seconds:", time, text.dropFirst(400).prefix(40)) }
            #expect(facts.metadata?.rating == 3 || text.contains("<xmp:Rating><xmp:Rating>"))
        }
    }
}
