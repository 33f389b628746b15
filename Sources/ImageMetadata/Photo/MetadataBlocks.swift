// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The metadata blocks of a file, those that libvips reads and those it ignores.
package struct MetadataBlocks: Sendable {
    /// The reader of EXIF, or of the directories of a TIFF file.
    package let exif: TIFFReader?
    /// The EXIF block as stored in the file; `nil` for a TIFF file.
    let exifBlock: [UInt8]?
    /// The XMP packet, joined with its extended part; `nil` if there is none or it is too long.
    package let xmp: XMPPacket?
    /// Whether the XMP has an extended part in separate segments.
    let hasExtendedXMP: Bool
    /// The IPTC-IIM block.
    let iptc: IPTCBlock?
    /// Whether libvips was prevented from reading the EXIF, because that would take too long.
    package let hasExcessiveExif: Bool
    /// The creation date of the image sequence that contains the picture.
    let movieDate: CaptureDate?

    /// Creates a group of blocks.
    package init(
        exif: TIFFReader?, exifBlock: [UInt8]?, xmp: XMPPacket?, hasExtendedXMP: Bool,
        iptc: IPTCBlock?, hasExcessiveExif: Bool, movieDate: CaptureDate?
    ) {
        self.exif = exif
        self.exifBlock = exifBlock
        self.xmp = xmp
        self.hasExtendedXMP = hasExtendedXMP
        self.iptc = iptc
        self.hasExcessiveExif = hasExcessiveExif
        self.movieDate = movieDate
    }

    /// The capture date. The search order is: the original date in EXIF, XMP, and the editable dates of XMP and IPTC;
    /// the digitisation date in EXIF, IPTC and XMP; the GPS date; the date of the image sequence. A source with only a
    /// day takes precedence over later ones with a time.
    package var captureDate: CaptureDate? {
        let facts = exif.flatMap(ExifFacts.init)
        let records = iptc.map(IPTCRecords.init)
        return facts?.dateTimeOriginal ?? xmp?.dateTimeOriginal ?? xmp?.contentDate
            ?? records?.captureDate ?? facts?.dateTimeDigitized ?? records?.digitizationDate
            ?? xmp?.creationDate ?? facts?.gpsDate ?? movieDate
    }
}
