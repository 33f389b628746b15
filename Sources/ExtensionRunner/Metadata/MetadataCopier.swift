// SPDX-License-Identifier: Apache-2.0

import CInterposition
import EditingModel
import FileAccess
import ImageMetadata
import RunnerProtocol
import Vips

/// Copies the metadata and resolution of the original to an output.
///
/// EXIF and XMP are written to all formats that support them, IPTC to JPEG, TIFF and PNG. Embedded previews are never
/// copied, because they show the picture before the edit.
enum MetadataCopier {
    /// Returns the image without metadata except its profile.
    static func stripped(_ image: Image) throws -> Image {
        let names = image.fieldNames
        return try image.copying { metadata in
            for name in names where name != ICCProfile.field { metadata.remove(name) }
        }
    }

    /// Returns the image with the original's EXIF, XMP and IPTC, updated to its orientation and size. `complete` adds
    /// to the file what libvips does not write.
    ///
    /// - Parameter size: The size of the picture before it was reduced, `nil` if an edit may have moved its pixels.
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
            // Without a block, libvips would write the size and the resolution into these formats.
            return try plain.copying { metadata in
                metadata.set("exif-data", to: ExifBlock.mark + ExifTags.upright.block)
                metadata.set(wholeMark, to: 1)
            }
        }
        let kept = kept(original, image, settings, at: size).metadata
        let whole = wholeExif(kept, for: image, format)
        let fields = whole == nil && format != .tiff ? try exifSource(original, kept) : nil
        return try plain.copying { metadata in
            // Raw pixels between runners carry no resolution.
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
                // libvips writes XMP into PNG in a form that other programs do not read.
                metadata.set(format == .png ? ownXMP : "xmp-data", to: packet.text)
            }
            metadata.set("orientation", to: 1)
        }
    }

    /// Returns the metadata of the output and the kinds of areas that were removed.
    ///
    /// - Parameter size: As for ``apply(_:to:_:at:)``.
    static func kept(
        _ original: MetadataSource, _ image: Image, _ settings: EncodeSettings, at size: PixelSize?
    ) -> (metadata: OutputMetadata, lostPlaces: Set<XMPPacket.Place>) {
        var kept = OutputMetadata(original.blocks, settings)
        let lost = kept.place(
            PixelPlacement(
                of: original.uprightSize, orientation: original.orientation, at: size,
                in: image.size), original.blocks)
        if kept.colorSpace != nil,
            let space = ExifColorSpace(of: image, from: original.image)
        {
            kept.describe(space)
        }
        return (kept, lost)
    }

    /// Removes the EXIF or resolution that libvips adds to every picture.
    ///
    /// - Throws: `outputFailed`.
    static func removeAll(from file: OpenFile, _ format: MediaFormat) throws(RunnerFailure) {
        switch format {
        case .jpeg: try JPEGMetadata.removeExif(from: file)
        case .png: try PNGMetadata.removeResolution(from: file)
        case .tiff: try TIFFMetadata.removeResolution(from: file)
        default: break
        }
    }

    /// Adds to an encoded file what libvips does not write: EXIF in TIFF and JPEG XL, XMP in JPEG XL, long XMP in
    /// JPEG, IPTC in TIFF and PNG.
    ///
    /// - Throws: `outputFailed`.
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

    /// Returns the Samsung trailer without videos and further pictures.
    private static func notes(_ original: MetadataSource, _ settings: EncodeSettings) -> [UInt8] {
        // The trailer contains the date and the country, too.
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

    /// The image field with XMP that libvips must not write.
    private static let ownXMP = "edithost-xmp"

    // MARK: - EXIF

    /// The mark of an image whose EXIF block must be written unchanged.
    static let wholeMark = "edithost-whole-exif"

    /// A JPEG segment holds 65,533 bytes.
    private static let maximumSegment = 65_500

    /// libvips does not read larger blocks, including the prefix.
    private static let maximumBlock = 1 << 20

    /// Returns the original's block, updated for the output. `nil` if it is malformed and unchanged, or does not fit
    /// the format.
    private static func wholeExif(
        _ kept: OutputMetadata, for image: Image, _ format: MediaFormat
    ) -> [UInt8]? {
        guard format != .tiff else { return nil }
        let limit = (format == .jpeg ? maximumSegment : maximumBlock) - ExifBlock.mark.count
        var whole = kept.wholeBlock(image.size, limit: limit)
        // libexif drops GeoTIFF tags and moves maker notes without updating their offsets.
        if whole == nil,
            !kept.isExifUnchanged || kept.hasGeography || kept.tags?.hasMakerNote ?? false
        {
            whole = kept.builtBlock(image.size, limit: limit)
        }
        return whole.map { ExifBlock.mark + $0 }
    }

    /// Writes an image. A marked EXIF block is written unchanged.
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

    /// Returns an image with the original's EXIF both as a block and as fields.
    private static func exifSource(
        _ original: MetadataSource, _ kept: OutputMetadata
    ) throws -> Image? {
        let image = original.image
        if kept.isExifUnchanged, !original.blocks.hasExcessiveExif, original.blocks.isExifOfLoader,
            image.hasField("exif-data"),
            image.fieldNames.contains(where: isWanted)
        {
            return image
        }
        return try kept.tags.flatMap { try ExifTemplateImage.image($0) }
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

    /// Whether a field is EXIF, except that of the thumbnail, which would show the picture before the edit.
    private static func isWanted(_ field: String) -> Bool {
        field.hasPrefix("exif-ifd") && !field.hasPrefix("exif-ifd1-")
    }
}
