// SPDX-License-Identifier: Apache-2.0

import CInterposition
import EditingModel
import Vips

/// The metadata blocks of a file, those that libvips reads and those it ignores.
struct MetadataBlocks: Sendable {
    /// The reader of EXIF, or of the directories of a TIFF file.
    let exif: TIFFReader?
    /// The EXIF block as stored in the file, `nil` for a TIFF file.
    let exifBlock: [UInt8]?
    /// The XMP packet, joined with its extended part. `nil` if there is none or it is too long.
    let xmp: XMPPacket?
    /// Whether the XMP has an extended part in separate segments.
    let hasExtendedXMP: Bool
    /// The IPTC-IIM block.
    let iptc: IPTCBlock?
    /// Whether libvips was prevented from reading the EXIF, because that would take too long.
    let hasExcessiveExif: Bool
    /// Whether libvips read the same EXIF block.
    let isExifOfLoader: Bool
    /// The creation date of the image sequence that contains the picture.
    let movieDate: CaptureDate?

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
            // Not from libvips: libtiff swaps the bytes of words, or does not return other types at all.
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
        self.exif = exif
        self.exifBlock = exifBlock
        isExifOfLoader =
            format == .tiff || loaded == exifBlock
            || loaded == exifBlock.map { Array("Exif\0\0".utf8) + $0 }
        hasExcessiveExif = (exifBlock ?? loaded).map(Self.isExcessive) ?? false
        let packet = xmp.flatMap { $0.count <= XMPPacket.maximumLength ? XMPPacket($0) : nil }
        let joined =
            format == .jpeg ? packet.flatMap { ExtendedXMP.joined($0, in: bytes) } : nil
        self.xmp = joined ?? packet
        hasExtendedXMP = joined != nil
        self.movieDate = movieDate
        self.iptc = iptc.flatMap { IPTCBlock($0) }
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

    /// The capture date. The original date is searched first, in EXIF, XMP, and the editable dates of XMP and IPTC.
    /// The digitisation date of EXIF, IPTC and XMP follows, then the GPS date, then that of the image sequence. An
    /// earlier source with only a day takes precedence over a later one with a time.
    var captureDate: CaptureDate? {
        let facts = exif.flatMap(ExifFacts.init)
        let records = iptc.map(IPTCRecords.init)
        return facts?.dateTimeOriginal ?? xmp?.dateTimeOriginal ?? xmp?.contentDate
            ?? records?.captureDate ?? facts?.dateTimeDigitized ?? records?.digitizationDate
            ?? xmp?.creationDate ?? facts?.gpsDate ?? movieDate
    }
}
