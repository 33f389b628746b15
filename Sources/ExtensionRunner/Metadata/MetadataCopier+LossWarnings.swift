// SPDX-License-Identifier: Apache-2.0

import EditingModel
import ImageMetadata
import RunnerProtocol
import Vips

extension MetadataCopier {
    /// Returns messages for the user about metadata that the output cannot hold.
    ///
    /// - Parameters:
    ///   - image: The result of ``apply(_:to:_:at:)``.
    ///   - size: The size passed to that function.
    static func omissions(
        of image: Image, from original: MetadataSource, _ settings: EncodeSettings,
        at size: PixelSize?
    ) -> [String] {
        let all = OutputMetadata(original.blocks, settings)
        let (kept, lostPlaces) = kept(original, image, settings, at: size)
        var omissions = XMPPacket.Place.allCases.filter(lostPlaces.contains).map(\.omission)
        if all.hasGeography, !kept.hasGeography {
            omissions.append(
                "its GeoTIFF georeference is left out, because pixels may have moved"
            )
        }
        if settings.omittedMetadata != .allButCopyright, original.blocks.exif?.makerNote != nil,
            !hasMakerNote(image, kept, settings.format)
        {
            omissions.append(
                settings.format == .jpeg && kept.hasBlock
                    ? "its maker note is left out, because the EXIF would be too long for JPEG"
                    : "its maker note is left out, because it is readable only at its place in "
                        + "the original file")
        }
        let lost = longValues(of: kept, missingIn: image, settings.format)
        if lost > 0 {
            omissions.append(
                "\(lost == 1 ? "one long value" : "\(lost) long values") of its EXIF "
                    + "\(lost == 1 ? "is" : "are") left out, because "
                    + "\(settings.format.displayName) has no room"
            )
        }
        if settings.format == .jpeg, let xmp = image.blob("xmp-data"),
            !JPEGMetadata.hasRoom(for: XMPPacket(xmp))
        {
            omissions.append("its XMP is left out, because it is malformed and too long for JPEG")
        }
        return omissions
    }

    /// Returns the number of values dropped from a rebuilt block, not counting the maker note.
    private static func longValues(
        of kept: OutputMetadata, missingIn image: Image, _ format: MediaFormat
    ) -> Int {
        // TIFF holds values of any length.
        guard format != .tiff, let wanted = kept.tags, let block = image.blob("exif-data"),
            let written = TIFFReader(exif: block).flatMap({ ExifTags($0) })
        else { return 0 }
        return wanted.longValues.subtracting(written.longValues).count
    }

    private static func hasMakerNote(
        _ image: Image, _ kept: OutputMetadata, _ format: MediaFormat
    ) -> Bool {
        if format == .tiff { return kept.tags?.hasMakerNote ?? false }
        return image.blob("exif-data").flatMap { TIFFReader(exif: $0) }?.makerNote != nil
    }
}
