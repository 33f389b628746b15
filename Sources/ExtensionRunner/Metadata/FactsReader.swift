// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import ImageMetadata
import Vips

/// Reads the facts about a picture from its file.
struct FactsReader {
    private let decoder: Decoder
    private let image: Image
    private let blocks: MetadataBlocks
    private let exif: ExifFacts?
    private let motion: MotionVideo

    /// - Parameters:
    ///   - decoder: The decoder of the file.
    ///   - header: The result of `decoder.header()`.
    init(_ decoder: Decoder, header: Image) {
        self.decoder = decoder
        image = header
        blocks = MetadataBlocks(decoder.bytes, decoder.format, header: header)
        exif = blocks.exif.flatMap(ExifFacts.init)
        motion = MotionVideo(decoder.bytes, decoder.format, xmp: blocks.xmp)
    }

    /// The facts of the picture.
    var facts: PhotoFacts {
        let isRotated = decoder.pendingOrientation(image) > 4
        var facts = PhotoFacts(
            format: decoder.format,
            pixelWidth: isRotated ? image.height : image.width,
            pixelHeight: isRotated ? image.width : image.height,
            orientation: exif?.orientation ?? decoder.pendingOrientation(image),
            bitsPerSample: image.format.size > 1 ? 16 : 8, hasAlpha: image.hasAlpha,
            colorModel: colorModel, hasFullChroma: hasFullChroma, isLossy: isLossy,
            frameCount: frameCount, mediaSubtypes: mediaSubtypes,
            creationDate: blocks.captureDate,
            location: exif?.location ?? blocks.xmp?.location,
            metadata: blocks.photoMetadata)
        facts.embeddedVideo = motion.video
        facts.embeddedVideoProblem = motion.problem
        facts.livePhotoVideoIndex = exif?.appleNote?.videoIndex
        let companions = AuxiliaryPictures(decoder.bytes, decoder.format).companions
        facts.companions =
            companions.isEmpty ? nil : PhotoFacts.Companion.allCases.filter(companions.contains)
        return facts
    }

    /// The date of the last change to the metadata, according to the file's XMP.
    var changeDate: Date? { blocks.xmp?.changeDate }

    /// Whether EXIF is malformed or far too large. In this case, only the tags read here are available.
    var hasExcessiveExif: Bool { blocks.hasExcessiveExif }

    /// The number of frames or pages in the file.
    var frameCount: Int {
        let pictures = AuxiliaryPictures(decoder.bytes, decoder.format)
        return max(1, pictures.frameCount ?? image.integer("n-pages") ?? 1)
    }

    /// Whether the frames are an animation. The pages of a TIFF and the pictures of a HEIF collection are not.
    private var isAnimated: Bool {
        switch decoder.format {
        case .gif, .webp, .png, .jxl: frameCount > 1
        case .heic, .avif: AuxiliaryPictures(decoder.bytes, decoder.format).isSequence
        default: false
        }
    }

    private var mediaSubtypes: MediaSubtype {
        var subtypes = blocks.mediaSubtypes
            .union(AuxiliaryPictures(decoder.bytes, decoder.format).mediaSubtypes)
        if isAnimated { subtypes.insert(.animated) }
        if motion.video != nil { subtypes.insert(.photoLive) }
        if decoder.highDynamicRange != nil { subtypes.insert(.photoHDR) }
        return subtypes
    }

    private var colorModel: PhotoFacts.ColorModel {
        if isPalette { return .palette }
        switch image.interpretation {
        case .cmyk: return .cmyk
        case .gray, .gray16: return .gray
        case .srgb, .rgb, .rgb16, .scrgb: return image.bands < 3 ? .gray : .rgb
        case .multiband: return image.bands < 3 ? .gray : image.bands < 5 ? .rgb : .other
        default: return .other
        }
    }

    private var isPalette: Bool {
        switch decoder.format {
        case .gif: return true
        case .png: return decoder.bytes[25] == 3
        case .tiff:
            guard let reader = TIFFReader(decoder.bytes), let first = reader.first else {
                return false
            }
            return reader.integers(ExifTag.photometricInterpretation, in: first) == [3]
        default: return false
        }
    }

    private var hasFullChroma: Bool {
        decoder.format == .jpeg && image.bands >= 3
            && image.string("jpeg-chroma-subsample") == "4:4:4"
    }

    private var isLossy: Bool {
        switch decoder.format {
        case .jpeg, .heic, .avif, .jxl: true
        case .webp: !hasLosslessChunk
        default: false
        }
    }

    /// Whether the first picture of a WebP file is lossless, `VP8L`.
    private var hasLosslessChunk: Bool {
        var place = 12
        for _ in 0..<1000 {
            if decoder.bytes.has("VP8L", at: place) { return true }
            if decoder.bytes.has("VP8 ", at: place) { return false }
            if decoder.bytes.has("ANMF", at: place) {
                place += 8 + 16
                continue
            }
            guard let length = decoder.bytes.number(place + 4, 4, bigEndian: false) else { break }
            place += 8 + (Int(length) + 1) / 2 * 2
        }
        return false
    }
}
