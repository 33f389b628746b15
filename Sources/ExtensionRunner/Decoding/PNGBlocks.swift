// SPDX-License-Identifier: Apache-2.0

import EditingModel
import ImageMetadata
import Vips

/// The EXIF, XMP and IPTC blocks of a PNG file, at any position.
///
/// libvips reads the `eXIf` chunk and the text chunks before the pixels, but no EXIF in text chunks. Before PNG had
/// `eXIf` (2017), ImageMagick and many others wrote EXIF, XMP and IPTC as hexadecimal text.
struct PNGBlocks {
    /// The EXIF of the chunk, otherwise that of a text.
    let exif: [UInt8]?
    /// The XMP packet.
    let xmp: [UInt8]?
    /// The IPTC records, or the Photoshop resources that contain them.
    let iptc: [UInt8]?

    /// - Parameter bytes: The bytes of the file.
    init(_ bytes: Bytes) {
        var chunk: [UInt8]?
        var texts: [UInt8] = []
        var count = 0
        for next in PNGMetadata.chunks(of: bytes) {
            let (range, contents) = (next.range, next.contents)
            switch next.type {
            case "eXIf":
                chunk = chunk ?? bytes.slice(contents.lowerBound, contents.count)
            case "tEXt", "zTXt", "iTXt":
                let isMetadata = Self.keywords.contains { bytes.has($0, at: contents.lowerBound) }
                guard isMetadata, count < Self.maximumTexts,
                    texts.count + range.count <= Self.maximumBytes
                else { continue }
                count += 1
                texts += bytes.slice(range.lowerBound, range.count) ?? []
            default: break
            }
        }
        let image = texts.isEmpty ? nil : try? Self.imageWithTexts(texts)
        let profiles = image.map(Self.profiles) ?? []
        let blocks = profiles.filter { !$0.starts(with: Self.xmpMark) }
        exif = chunk ?? blocks.first { TIFFReader(exif: $0) != nil }
        xmp =
            (image?.blob("xmp-data")
            ?? profiles.first { $0.starts(with: Self.xmpMark) }
            .map { Array($0.dropFirst(Self.xmpMark.count)) }
            ?? blocks.first { $0.first == UInt8(ascii: "<") })
            .map(Self.utf8)
        iptc = blocks.first { IPTCBlock($0) != nil && TIFFReader(exif: $0) == nil }
    }

    /// The prefixes of the keywords of text chunks with metadata.
    private static let keywords = ["Raw profile type ", "XML:com.adobe.xmp\0"]
    private static let xmpMark = Array(JPEGMetadata.xmpMark.utf8)
    /// The maximum number of text chunks. libvips allows 20.
    private static let maximumTexts = 16
    private static let maximumBytes = 2 * XMPPacket.maximumLength

    /// Creates a picture of one pixel with the text chunks before it, so that libvips reads and inflates them.
    private static func imageWithTexts(_ texts: [UInt8]) throws -> Image {
        let pixel = try Image(
            bytes: [0, 0, 0], width: 1, height: 1, bands: 3, format: .uchar,
            interpretation: .srgb)
        let file = try pixel.encoded(saver: "pngsave_buffer", options: ["strip": true])
        // The chunks follow the signature and the IHDR chunk.
        let place = 8 + 25
        return try Image(
            source: try ImageSource(bytes: Array(file[..<place] + texts + file[place...])),
            loader: "pngload_source")
    }

    /// Returns the blocks encoded as hexadecimal text, in order.
    private static func profiles(of image: Image) -> [[UInt8]] {
        image.fieldNames.filter { $0.contains(RawProfile.keyword) }
            .compactMap { image.string($0) }.compactMap(RawProfile.block)
    }

    /// Decodes the text of a `zTXt` chunk. It should be Latin-1, but most programs write UTF-8.
    private static func utf8(_ packet: [UInt8]) -> [UInt8] {
        guard packet.count <= XMPPacket.maximumLength,
            String(validating: packet, as: UTF8.self) == nil
        else { return packet }
        return Array(String(windows1252: packet).utf8)
    }
}
