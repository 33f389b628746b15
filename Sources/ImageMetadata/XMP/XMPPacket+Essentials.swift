// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import Vips

extension XMPPacket {
    /// The packet without the padding before its end marker (XMP Specification, part 1, 7.3.2).
    var withoutPadding: XMPPacket {
        let mark = Array("<?xpacket end".utf8)
        guard let end = text.lastRange(of: mark)?.lowerBound else { return self }
        let isBlank: (UInt8) -> Bool = { $0 <= 0x20 }
        let start = text[..<end].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? end
        return XMPPacket(text[..<start] + [0x0A] + text[end...])
    }

    /// The properties that users write and that a library reads.
    static let essentialProperties =
        copyrightProperties + [
            "dc:title", "dc:description", "dc:subject", "xmp:Rating", "xmp:Label",
            "exif:DateTimeOriginal", "photoshop:DateCreated", "exif:GPSLatitude",
            "exif:GPSLongitude", "photoshop:Headline", "photoshop:City", "photoshop:State",
            "photoshop:Country", "photoshop:Credit", "photoshop:Source",
        ]
}
