// SPDX-License-Identifier: Apache-2.0

import ImageMetadata
import Testing

/// Whether a packet was written completely.
@Suite("complete XMP")
struct XMPCompletenessTests {
    private static let text = """
        <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>
        <!-- a <comment> --><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
        <rdf:Description rdf:about='' xmp:Label='a > b'><dc:subject><rdf:Bag><rdf:li>1</rdf:li>
        </rdf:Bag></dc:subject><dc:title/></rdf:Description></rdf:RDF></x:xmpmeta>
        """

    private func isComplete(_ text: some StringProtocol) -> Bool {
        XMPPacket(Array(text.utf8)).isComplete
    }

    @Test("a packet is complete if it has an element and all elements are closed")
    func complete() {
        #expect(isComplete(Self.text))
        #expect(isComplete(Self.text + "\n<?xpacket end='w'?>"))
        #expect(isComplete("<rdf:Description/>"))
        for text in ["", "text", "<rdf:RDF></rdf:rdf>", "</rdf:RDF>", "<a><b></a></b>"] {
            #expect(!isComplete(text), "\(text)")
        }
    }

    @Test("no beginning of a packet is complete")
    func truncated() {
        for length in 0..<Self.text.count {
            #expect(!isComplete(Self.text.prefix(length)), "\(length)")
        }
    }
}
