// SPDX-License-Identifier: Apache-2.0

import CInterposition
import EditingModel
import ImageMetadata
import Vips

extension MetadataBlocks {
    /// Reads the metadata blocks of a file, both those that libvips reads and those it ignores.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - format: The format of the file.
    ///   - header: The opened header.
    init(_ bytes: Bytes, _ format: MediaFormat, header: Image) {
        let items = format == .heic || format == .avif ? HEIFItems(bytes) : nil
        // libvips assumes that the TIFF header starts directly after the offset.
        let loaded = header.blob("exif-data")
        let block = items?.exif ?? loaded
        var exif = block.flatMap { TIFFReader(exif: $0) }
        var exifBlock = block
        var xmp = header.blob("xmp-data")
        var iptc = header.blob("iptc-data")
        var movieDate: CaptureDate?
        switch format {
        case .tiff:
            exif = TIFFReader(bytes)
            exifBlock = nil
            // IPTC is not taken from libvips, because libtiff swaps the bytes of words, or does not return other types
            // at all.
            iptc = exif.flatMap { reader in
                reader.first.flatMap { reader.raw(ExifTag.iptc, in: $0) }
            }
        case .jpeg:
            // libvips takes the first segment that looks like XMP.
            if let header = JPEGHeader(bytes) {
                xmp = header.contents(0xE1, JPEGMetadata.xmpMark).first
                    .flatMap { bytes.slice($0.lowerBound, $0.count) }
                iptc = PhotoshopResources.joined(in: header, bytes)
            }
        case .png:
            let blocks = PNGBlocks(bytes)
            exifBlock = block ?? blocks.exif
            exif = exifBlock.flatMap { TIFFReader(exif: $0) }
            xmp = blocks.xmp ?? xmp
            iptc = blocks.iptc
        case .jxl:
            let boxes = BoxReader(bytes)
            if exif == nil {
                exifBlock = boxes.contents("Exif").flatMap { Self.exif(bytes, $0) }
                exif = exifBlock.flatMap { TIFFReader(exif: $0) }
            }
            if xmp == nil {
                xmp = boxes.contents("xml ").flatMap { bytes.slice($0.lowerBound, $0.count) }
            }
        case .heic, .avif:
            movieDate = BoxReader(bytes).movieDate
            xmp = items?.xmp ?? xmp
        default: break
        }
        let packet = xmp.flatMap {
            $0.count <= XMPPacket.maximumLength ? XMPPacket.decoded($0) : nil
        }
        let joined =
            format == .jpeg ? packet.flatMap { ExtendedXMP.joined($0, in: bytes) } : nil
        self.init(
            exif: exif, exifBlock: exifBlock, xmp: joined ?? packet, hasExtendedXMP: joined != nil,
            iptc: iptc.flatMap { IPTCBlock($0) },
            hasExcessiveExif: (exifBlock ?? loaded).map(Self.isExcessive) ?? false,
            movieDate: movieDate)
    }

    private static func isExcessive(_ block: [UInt8]) -> Bool {
        block.withUnsafeBytes { interposition_is_excessive_exif($0.baseAddress, $0.count) }
    }

    /// Returns the block in a box of JPEG XL, which starts with the offset of the block.
    private static func exif(_ bytes: Bytes, _ range: Range<Int>) -> [UInt8]? {
        guard range.count > 4,
            let skip = bytes.number(range.lowerBound, 4, bigEndian: true).map(Int.init),
            skip < range.count - 4
        else { return nil }
        return bytes.slice(range.lowerBound + 4 + skip, range.count - 4 - skip)
    }
}
