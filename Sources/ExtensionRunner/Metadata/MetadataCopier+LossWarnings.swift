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
        let (output, removedAreas) = outputMetadata(original, image, settings, at: size)
        var omissions = XMPPacket.AreaKind.allCases.filter(removedAreas.contains).map(\.omission)
        if all.hasGeography, !output.hasGeography {
            omissions.append(
                "its GeoTIFF georeference is omitted, because pixels may have moved"
            )
        }
        if settings.omittedMetadata != .allButCopyright, original.blocks.exif?.makerNote != nil,
            !hasMakerNote(image, output, settings.format)
        {
            omissions.append(
                settings.format == .jpeg && output.hasBlock
                    ? "its maker note is omitted, because the EXIF would be too long for JPEG"
                    : "its maker note is omitted, because it is readable only at its position in "
                        + "the original file")
        }
        let lostCount = longValues(of: output, missingIn: image, settings.format)
        if lostCount > 0 {
            omissions.append(
                "\(lostCount == 1 ? "one long value" : "\(lostCount) long values") of its EXIF "
                    + "\(lostCount == 1 ? "is" : "are") omitted, because "
                    + "\(settings.format.displayName) has no room"
            )
        }
        if settings.format == .jpeg, let xmp = image.blob("xmp-data"),
            !JPEGMetadata.hasRoom(for: XMPPacket(xmp))
        {
            omissions.append("its XMP is omitted, because it is malformed and too long for JPEG")
        }
        return omissions
    }

    /// Returns the number of values dropped from a rebuilt block, not counting the maker note.
    private static func longValues(
        of output: OutputMetadata, missingIn image: Image, _ format: MediaFormat
    ) -> Int {
        // TIFF holds values of any length.
        guard format != .tiff, let tags = output.tags, let block = image.blob("exif-data"),
            let written = TIFFReader(exif: block).flatMap({ DescriptiveExifTags($0) })
        else { return 0 }
        return tags.longValues.subtracting(written.longValues).count
    }

    private static func hasMakerNote(
        _ image: Image, _ output: OutputMetadata, _ format: MediaFormat
    ) -> Bool {
        if format == .tiff { return output.tags?.hasMakerNote ?? false }
        return image.blob("exif-data").flatMap { TIFFReader(exif: $0) }?.makerNote != nil
    }
}
