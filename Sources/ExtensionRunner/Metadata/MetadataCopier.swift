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
    /// - Parameter size: The size of the picture before it was reduced; `nil` if an edit may have moved its pixels.
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
                metadata.set("exif-data", to: ExifBlock.mark + DescriptiveExifTags.upright.block)
            }
        }
        let output = outputMetadata(original, image, settings, at: size).metadata
        return try plain.copying { metadata in
            // Raw pixels between runners carry no resolution.
            metadata.setResolution(of: original.image)
            if let unit = original.image.string("resolution-unit") {
                metadata.set("resolution-unit", to: unit)
            }
            if let block = exifBlock(output, for: image, format) {
                metadata.set("exif-data", to: ExifBlock.mark + block)
            }
            if format == .jpeg, let block = output.iptc {
                metadata.set("iptc-data", to: block.segment)
            }
            if var packet = output.xmp?.withoutOtherParts {
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
    static func outputMetadata(
        _ original: MetadataSource, _ image: Image, _ settings: EncodeSettings, at size: PixelSize?
    ) -> (metadata: OutputMetadata, removedAreas: Set<XMPPacket.AreaKind>) {
        var output = OutputMetadata(original.blocks, settings)
        let removed = output.mapAreas(
            by: PixelPlacement(
                of: original.uprightSize, orientation: original.orientation, at: size,
                in: image.size), original.blocks)
        let space = ExifColorSpace(of: image, from: original.image)
        let isSameSpace =
            image.blob(ICCProfile.field) == original.image.blob(ICCProfile.field)
            || space != .other && space == output.colorSpace
        if !isSameSpace { output.removeChromaticities() }
        if output.colorSpace != nil, let space { output.describe(space) }
        return (output, removed)
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
    /// JPEG, IPTC in TIFF and PNG, Samsung's trailer in JPEG and HEIC.
    ///
    /// - Throws: `outputFailed`.
    static func complete(
        _ file: OpenFile, of image: Image, from original: MetadataSource,
        _ settings: EncodeSettings, at size: PixelSize?
    ) throws(RunnerFailure) {
        let output = outputMetadata(original, image, settings, at: size).metadata
        switch settings.format {
        case .jpeg:
            let isWhole = settings.omittedMetadata == nil && original.format == .jpeg
            try JPEGMetadata.add(
                xmp: image.blob("xmp-data"),
                comments: isWhole ? JPEGMetadata.comments(of: original.bytes) : [],
                trailer: notes(original, settings), to: file)
        case .tiff:
            let tags = output.tags?.resized(width: image.width, height: image.height)
            try TIFFMetadata.add(
                tags, output.iptc,
                resolutionOf: original.format == .tiff ? original.blocks.exif : nil, to: file)
        case .png:
            let isWhole = settings.omittedMetadata == nil && original.format == .png
            try PNGMetadata.finish(
                file, adding: output.iptc, xmp: image.blob(ownXMP),
                texts: isWhole ? PNGMetadata.texts(of: original.bytes) : [])
        case .heic: try HEIFMetadata.add(trailer: notes(original, settings), to: file)
        case .jxl:
            try JXLMetadata.add(
                exif: image.blob("exif-data").map { Array($0.dropFirst(ExifBlock.mark.count)) },
                xmp: image.blob("xmp-data"), to: file)
        default: break
        }
    }

    /// Returns the Samsung trailer without videos and further pictures.
    private static func notes(_ original: MetadataSource, _ settings: EncodeSettings) -> [UInt8] {
        // The trailer contains the date and the country, too.
        guard settings.omittedMetadata?.isPartial ?? true,
            settings.metadataChanges?.captureDate == nil
        else { return [] }
        let bytes = original.bytes
        let end =
            switch original.format {
            case .jpeg: bytes.count
            case .heic: BoxReader(bytes).contents("sefd")?.upperBound ?? 0
            default: 0
            }
        let includesCountry =
            settings.omittedMetadata?.omitsLocation != true
            && settings.metadataChanges?.location == nil
        return SamsungTrailer(bytes, end: end)?.notes(bytes, includesCountry: includesCountry) ?? []
    }

    /// The image field with XMP that libvips must not write.
    private static let ownXMP = "edithost-xmp"

    // MARK: - EXIF

    /// A JPEG segment holds 65,533 bytes.
    private static let maximumSegment = 65_500

    /// libvips does not read larger blocks, including the prefix.
    private static let maximumBlock = 1 << 20

    /// Returns the EXIF block of the output: that of the original with its changes, otherwise one built from the tags.
    /// `nil` if there are no tags, or for TIFF, whose directories are part of the file.
    private static func exifBlock(
        _ output: OutputMetadata, for image: Image, _ format: MediaFormat
    ) -> [UInt8]? {
        guard format != .tiff else { return nil }
        let limit = (format == .jpeg ? maximumSegment : maximumBlock) - ExifBlock.mark.count
        return output.modifiedBlock(image.size, limit: limit)
            ?? output.rebuiltBlock(image.size, limit: limit)
    }

    /// Writes an image. Its EXIF block is written unchanged.
    static func writing(_ image: Image, _ write: () throws -> Void) rethrows {
        guard let block = image.blob("exif-data") else { return try write() }
        try block.withUnsafeBytes { bytes in
            interposition_give_exif(bytes.baseAddress, UInt32(clamping: bytes.count))
            defer { interposition_give_exif(nil, 0) }
            try write()
        }
    }
}
