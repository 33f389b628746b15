// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Vips

/// Gives an output the original's metadata, and no other.
enum MetadataCopier {
    /// The image without any metadata but its profile.
    static func stripped(_ image: Image) throws -> Image {
        let names = image.fieldNames
        return try image.copying { metadata in
            for name in names where name != ICCProfile.field { metadata.remove(name) }
        }
    }

    /// The image with EXIF, XMP and IPTC of the original, saying that it is upright and as large
    /// as it is. libvips rewrites the EXIF block from these fields when it saves.
    static func apply(
        _ original: MetadataSource?, to image: Image, format: MediaFormat
    ) throws -> Image {
        let plain = try stripped(image)
        guard let original else { return plain }
        let source = original.image
        return try plain.copying { metadata in
            if let exif = source.blob("exif-data") {
                metadata.set("exif-data", to: ExifBlock.withoutThumbnail(exif))
            }
            if let iptc = source.blob("iptc-data") { metadata.set("iptc-data", to: iptc) }
            for name in source.fieldNames where isWanted(name) {
                if let value = source.string(name) { metadata.set(name, to: value) }
            }
            if var packet = source.blob("xmp-data").map(XMPPacket.init) {
                packet.setUpright()
                metadata.set("xmp-data", to: packet.text)
            }
            upright(metadata, source, image)
        }
    }

    /// EXIF fields, but those of the thumbnail, which would show the picture before the edit.
    private static func isWanted(_ field: String) -> Bool {
        field.hasPrefix("exif-ifd") && !field.hasPrefix("exif-ifd1-")
    }

    private static func upright(
        _ metadata: ImageMetadataEditor, _ source: Image, _ image: Image
    ) {
        metadata.set("orientation", to: 1)
        let sizes = [
            ("exif-ifd0-ImageWidth", image.width), ("exif-ifd0-ImageLength", image.height),
            ("exif-ifd2-PixelXDimension", image.width),
            ("exif-ifd2-PixelYDimension", image.height),
        ]
        for (name, value) in sizes where source.hasField(name) {
            metadata.set(name, to: "\(value)")
        }
    }
}
