// SPDX-License-Identifier: Apache-2.0

import CInterposition
import EditingModel
import Vips

/// The metadata of a file: what libvips hands on, and what it does not look for.
struct MetadataBlocks: Sendable {
    /// EXIF, or the directories of a TIFF file.
    let exif: TIFFReader?
    /// The EXIF block as the file has it; nil for a TIFF file.
    let exifBlock: [UInt8]?
    /// XMP, with its extended part; nil where there is none, or more than any photograph has.
    let xmp: XMPPacket?
    /// Whether the XMP has an extended part in segments of its own.
    let hasExtendedXMP: Bool
    /// IPTC-IIM.
    let iptc: IPTCBlock?
    /// Whether libvips was kept from reading the EXIF, because it would take long over it.
    let hasExcessiveExif: Bool
    /// Whether libvips read the same EXIF block, and not another or none.
    let isExifOfLoader: Bool
    /// When the sequence that the picture is taken from was made.
    let movieDate: CaptureDate?

    /// - Parameters:
    ///   - bytes: The file.
    ///   - format: Its format.
    ///   - header: The picture, opened.
    init(_ bytes: Bytes, _ format: MediaFormat, header: Image) {
        let items = format == .heic || format == .avif ? HEIFItems(bytes) : nil
        // libvips believes that the TIFF header of an item follows at once.
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
            // Not libvips': libtiff turns the words around, or does not give other types at all.
            iptc = exif.flatMap { reader in
                reader.first.flatMap { reader.raw(IPTCBlock.tag, in: $0) }
            }
        case .jpeg:
            // libvips takes the first segment that might be it.
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

    /// The block in a box of JPEG XL: four bytes say how far behind them it begins.
    private static func exif(_ bytes: Bytes, _ range: Range<Int>) -> [UInt8]? {
        guard range.count > 4,
            let skip = bytes.number(range.lowerBound, 4, bigEndian: true).map(Int.init),
            skip < range.count - 4
        else { return nil }
        return bytes.slice(range.lowerBound + 4 + skip, range.count - 4 - skip)
    }

    /// When the photograph was taken: the date of the original, by EXIF, XMP, and what people have
    /// written in XMP and IPTC; else that of its digitisation by the same, else the satellites', and last
    /// the film's. A place that has a day only comes before a later one that has a time too.
    var captureDate: CaptureDate? {
        let facts = exif.flatMap(ExifFacts.init)
        let records = iptc.map(IPTCRecords.init)
        return facts?.dateTimeOriginal ?? xmp?.dateTimeOriginal ?? xmp?.contentDate
            ?? records?.captureDate ?? facts?.dateTimeDigitized ?? records?.digitizationDate
            ?? xmp?.creationDate ?? facts?.gpsDate ?? movieDate
    }
}
