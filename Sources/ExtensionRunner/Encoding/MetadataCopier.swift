// SPDX-License-Identifier: Apache-2.0

import CInterposition
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
    /// as it is. What libvips does not write `complete` adds to the file.
    ///
    /// - Parameter size: The size of the picture before it was reduced, whose pixels no edit has moved; nil: one
    ///   may have.
    static func apply(
        _ original: MetadataSource?, to image: Image, _ settings: EncodeSettings,
        at size: PixelSize?
    ) throws -> Image {
        let plain = try stripped(image)
        let format = settings.format
        guard let original else {
            guard settings.omittedMetadata == .all, [.webp, .heic, .avif].contains(format) else {
                return plain
            }
            // Of these libvips would write size and resolution.
            return try plain.copying { metadata in
                metadata.set("exif-data", to: ExifBlock.mark + ExifTags.upright.block)
                metadata.set(wholeMark, to: 1)
            }
        }
        let kept = kept(original, image, settings, at: size).metadata
        let whole = wholeExif(kept, for: image, format)
        let fields = whole == nil && format != .tiff ? try exifSource(original, kept) : nil
        return try plain.copying { metadata in
            // Raw pixels on the way have none.
            metadata.setResolution(of: original.image)
            if let unit = original.image.string("resolution-unit") {
                metadata.set("resolution-unit", to: unit)
            }
            if let whole {
                metadata.set("exif-data", to: whole)
                metadata.set(wholeMark, to: 1)
            }
            if let fields { copy(fields, to: metadata, image) }
            if format == .jpeg, let block = kept.iptc {
                metadata.set("iptc-data", to: block.segment)
            }
            if var packet = kept.xmp?.withoutOtherParts {
                packet.describe(
                    width: image.width, height: image.height,
                    colorSpace: ExifColorSpace(of: image, from: original.image))
                // libvips writes XMP into a PNG as other programs do not expect it.
                metadata.set(format == .png ? ownXMP : "xmp-data", to: packet.text)
            }
            metadata.set("orientation", to: 1)
        }
    }

    /// What the output is to say.
    ///
    /// - Parameter size: as for ``apply(_:to:_:at:)``.
    static func kept(
        _ original: MetadataSource, _ image: Image, _ settings: EncodeSettings, at size: PixelSize?
    ) -> (metadata: KeptMetadata, lostPlaces: Set<XMPPacket.Place>) {
        var kept = KeptMetadata(original.blocks, settings)
        let lost = kept.place(
            PixelPlacement(of: original, at: size, in: image.size), original.blocks)
        if kept.colorSpace != nil,
            let space = ExifColorSpace(of: image, from: original.image)
        {
            kept.describe(space)
        }
        return (kept, lost)
    }

    /// Takes out of an encoded file what libvips writes of every picture: EXIF, a resolution.
    static func removeAll(from file: OpenFile, _ format: MediaFormat) throws(RunnerFailure) {
        switch format {
        case .jpeg: try JPEGMetadata.removeExif(from: file)
        case .png: try PNGMetadata.removeResolution(from: file)
        case .tiff: try TIFFMetadata.removeResolution(from: file)
        default: break
        }
    }

    /// Adds to an encoded file what libvips does not write: EXIF in TIFF and JPEG XL, XMP in JPEG XL, long XMP
    /// in JPEG, IPTC in TIFF and PNG.
    static func complete(
        _ file: OpenFile, of image: Image, from original: MetadataSource,
        _ settings: EncodeSettings, at size: PixelSize?
    ) throws(RunnerFailure) {
        let kept = kept(original, image, settings, at: size).metadata
        let tags = kept.tags?.resized(width: image.width, height: image.height)
        switch settings.format {
        case .jpeg:
            let isWhole = settings.omittedMetadata == nil && original.format == .jpeg
            try JPEGMetadata.add(
                xmp: image.blob("xmp-data"),
                comments: isWhole ? JPEGMetadata.comments(of: original.bytes) : [],
                trailer: notes(original, settings), to: file)
        case .tiff:
            if tags != nil || kept.iptc != nil { try TIFFMetadata.add(tags, kept.iptc, to: file) }
        case .png:
            let isWhole = settings.omittedMetadata == nil && original.format == .png
            try PNGMetadata.finish(
                file, adding: kept.iptc, xmp: image.blob(ownXMP),
                texts: isWhole ? PNGMetadata.texts(of: original.bytes) : [])
        case .jxl:
            let whole = image.hasField(wholeMark) ? image.blob("exif-data") : nil
            try JXLMetadata.add(
                exif: whole.map { Array($0.dropFirst(ExifBlock.mark.count)) } ?? tags?.block,
                xmp: image.blob("xmp-data"), to: file)
        default: break
        }
    }

    /// What Samsung's phones write behind a picture, but for films and other pictures.
    private static func notes(_ original: MetadataSource, _ settings: EncodeSettings) -> [UInt8] {
        // They have the date and the country, too.
        guard [nil, .location].contains(settings.omittedMetadata),
            settings.metadataChanges?.captureDate == nil
        else { return [] }
        let bytes = original.bytes
        let end =
            switch original.format {
            case .jpeg: bytes.count
            case .heic: BoxReader(bytes).contents("sefd")?.upperBound ?? 0
            default: 0
            }
        let saysPlace =
            settings.omittedMetadata == nil && settings.metadataChanges?.location == nil
        return SamsungTrailer(bytes, end: end)?.notes(bytes, saysPlace: saysPlace) ?? []
    }

    /// The field of an image with XMP that libvips is not to write.
    private static let ownXMP = "edithost-xmp"

    // MARK: - EXIF

    /// Marks an image whose EXIF block is to be written as it is.
    static let wholeMark = "edithost-whole-exif"

    /// JPEG has room for 65,533 bytes in a segment.
    private static let maximumSegment = 65_500

    /// libvips reads no larger block again, with its mark.
    private static let maximumBlock = 1 << 20

    /// The original's block, changed in what the output has made false; nil where it has none that is
    /// whole and nothing of it changes, or the format no room for it.
    private static func wholeExif(
        _ kept: KeptMetadata, for image: Image, _ format: MediaFormat
    ) -> [UInt8]? {
        guard format != .tiff else { return nil }
        let limit = (format == .jpeg ? maximumSegment : maximumBlock) - ExifBlock.mark.count
        var whole = kept.wholeBlock(image.size, limit: limit)
        // libexif does not know GeoTIFF's tags, and moves makers' notes without a change.
        if whole == nil,
            !kept.isExifUnchanged || kept.hasGeography || kept.tags?.hasMakerNote ?? false
        {
            whole = kept.builtBlock(image.size, limit: limit)
        }
        return whole.map { ExifBlock.mark + $0 }
    }

    /// Writes an image whose EXIF block may be one to be written as it is.
    static func writing(_ image: Image, _ write: () throws -> Void) rethrows {
        guard image.hasField(wholeMark), let block = image.blob("exif-data") else {
            return try write()
        }
        try block.withUnsafeBytes { bytes in
            interposition_give_exif(bytes.baseAddress, UInt32(clamping: bytes.count))
            defer { interposition_give_exif(nil, 0) }
            try write()
        }
    }

    /// An image that has the original's EXIF as block and as fields.
    private static func exifSource(
        _ original: MetadataSource, _ kept: KeptMetadata
    ) throws -> Image? {
        let image = original.image
        if kept.isExifUnchanged, !original.blocks.hasExcessiveExif, original.blocks.isExifOfLoader,
            image.hasField("exif-data"),
            image.fieldNames.contains(where: isWanted)
        {
            return image
        }
        return try kept.tags.flatMap { try ExifCarrier.image($0) }
    }

    private static func copy(
        _ source: Image, to metadata: ImageMetadataEditor, _ image: Image
    ) {
        if let exif = source.blob("exif-data") {
            var block = ExifBlock(exif)
            block?.describe(width: image.width, height: image.height)
            metadata.set("exif-data", to: block.map { ExifBlock.mark + $0.bytes } ?? exif)
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
