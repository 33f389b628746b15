// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Vips

/// EXIF, XMP and IPTC of a PNG file, wherever in the file they are.
///
/// libvips reads the chunk `eXIf` and texts before the pixels, and no EXIF in texts. Before PNG had that
/// chunk (2017), ImageMagick and many others wrote EXIF, XMP and IPTC as texts of hexadecimal digits.
struct PNGBlocks {
    /// EXIF: the chunk's, otherwise that of a text.
    let exif: [UInt8]?
    /// XMP.
    let xmp: [UInt8]?
    /// IPTC, or Photoshop's resources around it.
    let iptc: [UInt8]?

    /// - Parameter bytes: The file.
    init(_ bytes: Bytes) {
        var chunk: [UInt8]?
        var texts: [UInt8] = []
        var count = 0
        PNGMetadata.forEachChunk(of: bytes) { type, place, length in
            switch type {
            case "eXIf":
                chunk = chunk ?? bytes.slice(place + 8, length - 12)
            case "tEXt", "zTXt", "iTXt":
                let isMetadata = Self.keywords.contains { bytes.has($0, at: place + 8) }
                guard isMetadata, count < Self.maximumTexts,
                    texts.count + length <= Self.maximumBytes
                else { return }
                count += 1
                texts += bytes.slice(place, length) ?? []
            default: break
            }
        }
        let carrier = texts.isEmpty ? nil : try? Self.carrier(texts)
        let profiles = carrier.map(Self.profiles) ?? []
        let blocks = profiles.filter { !$0.starts(with: Self.xmpMark) }
        exif = chunk ?? blocks.first { TIFFReader(exif: $0) != nil }
        xmp =
            (carrier?.blob("xmp-data")
            ?? profiles.first { $0.starts(with: Self.xmpMark) }
            .map { Array($0.dropFirst(Self.xmpMark.count)) }
            ?? blocks.first { $0.first == UInt8(ascii: "<") })
            .map(Self.utf8)
        iptc = blocks.first { IPTCBlock($0) != nil && TIFFReader(exif: $0) == nil }
    }

    /// The keywords of texts that hold metadata begin with these.
    private static let keywords = ["Raw profile type ", "XML:com.adobe.xmp\0"]
    private static let xmpMark = Array(JPEGMetadata.xmpMark.utf8)
    /// libvips reads 20 texts.
    private static let maximumTexts = 16
    private static let maximumBytes = 2 * XMPPacket.maximumLength

    /// A picture of one pixel with texts before it, so that libvips reads and inflates them.
    private static func carrier(_ texts: [UInt8]) throws -> Image {
        let pixel = try Image(
            bytes: [0, 0, 0], width: 1, height: 1, bands: 3, format: .uchar,
            interpretation: .srgb)
        let file = try pixel.encoded(saver: "pngsave_buffer", options: ["strip": true])
        // Behind the signature and the chunk IHDR.
        let place = 8 + 25
        return try Image(
            source: try ImageSource(bytes: Array(file[..<place] + texts + file[place...])),
            loader: "pngload_source")
    }

    /// The blocks in hexadecimal digits, in the order of their texts.
    private static func profiles(of image: Image) -> [[UInt8]] {
        image.fieldNames.filter { $0.contains(RawProfile.keyword) }
            .compactMap { image.string($0) }.compactMap(RawProfile.block)
    }

    /// The text of a chunk `zTXt` should be Latin-1, and is UTF-8 as most programs write it.
    private static func utf8(_ packet: [UInt8]) -> [UInt8] {
        guard packet.count <= XMPPacket.maximumLength,
            String(validating: packet, as: UTF8.self) == nil
        else { return packet }
        return Array(String(windows1252: packet).utf8)
    }
}
