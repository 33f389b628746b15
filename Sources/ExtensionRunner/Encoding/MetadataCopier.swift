// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol
import Vips

/// Gives an output the original's metadata and resolution, and no other.
///
/// EXIF and XMP go into all formats that can hold them, IPTC into JPEG, TIFF and PNG. Previews of
/// the picture as it was before the edit go into none.
enum MetadataCopier {
    /// The image without any metadata but its profile.
    static func stripped(_ image: Image) throws -> Image {
        let names = image.fieldNames
        return try image.copying { metadata in
            for name in names where name != ICCProfile.field { metadata.remove(name) }
        }
    }

    /// The image with EXIF, XMP and IPTC of the original, saying that it is upright and as large
    /// as it is. libvips rewrites the EXIF block from these fields when it saves. What it does not
    /// write `complete` adds to the file.
    static func apply(
        _ original: MetadataSource?, to image: Image, format: MediaFormat
    ) throws -> Image {
        let plain = try stripped(image)
        guard let original else { return plain }
        let exif = format == .tiff ? nil : try exifSource(original)
        return try plain.copying { metadata in
            // Raw pixels on the way have none.
            metadata.setResolution(of: original.image)
            if let exif { copy(exif, to: metadata, image) }
            if format == .jpeg, let block = original.blocks.iptc {
                metadata.set("iptc-data", to: block.segment)
            }
            if var packet = original.blocks.xmp {
                packet.describe(width: image.width, height: image.height)
                metadata.set("xmp-data", to: packet.text)
            }
            metadata.set("orientation", to: 1)
        }
    }

    /// Adds to an encoded file what libvips does not write: EXIF in TIFF, IPTC in TIFF and PNG.
    static func complete(
        _ file: OpenFile, _ format: MediaFormat, of image: Image,
        from original: MetadataSource
    ) throws(RunnerFailure) {
        let block = original.blocks.iptc
        switch format {
        case .tiff:
            let tags = original.blocks.exif.flatMap(ExifTags.init)?
                .resized(width: image.width, height: image.height)
            if tags != nil || block != nil { try TIFFMetadata.add(tags, block, to: file) }
        case .png:
            if let block { try PNGMetadata.add(block, to: file) }
        default: break
        }
    }

    // MARK: - EXIF

    /// An image that has the original's EXIF as block and as fields.
    private static func exifSource(_ original: MetadataSource) throws -> Image? {
        let image = original.image
        if !original.blocks.hasExcessiveExif, original.blocks.isExifOfLoader,
            image.hasField("exif-data"),
            image.fieldNames.contains(where: isWanted)
        {
            return image
        }
        guard let tags = original.blocks.exif.flatMap(ExifTags.init) else { return nil }
        return try ExifCarrier.image(tags)
    }

    private static func copy(
        _ source: Image, to metadata: ImageMetadataEditor, _ image: Image
    ) {
        if let exif = source.blob("exif-data") {
            metadata.set("exif-data", to: ExifBlock.withoutThumbnail(exif))
        }
        for name in source.fieldNames where isWanted(name) {
            if let value = source.string(name) { metadata.set(name, to: value) }
        }
        let sizes = [
            ("exif-ifd0-ImageWidth", image.width), ("exif-ifd0-ImageLength", image.height),
            ("exif-ifd2-PixelXDimension", image.width),
            ("exif-ifd2-PixelYDimension", image.height),
        ]
        for (name, value) in sizes where source.hasField(name) {
            metadata.set(name, to: "\(value)")
        }
    }

    /// EXIF fields, but those of the thumbnail, which would show the picture before the edit.
    private static func isWanted(_ field: String) -> Bool {
        field.hasPrefix("exif-ifd") && !field.hasPrefix("exif-ifd1-")
    }
}
