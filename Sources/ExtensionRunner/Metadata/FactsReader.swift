// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Vips

/// Finds out what a file says about its picture.
struct FactsReader {
    private let decoder: Decoder
    private let image: Image
    private let blocks: MetadataBlocks
    private let exif: ExifFacts?
    private let motion: MotionVideo
    private let sidecars: [XMPPacket]

    /// - Parameters:
    ///   - decoder: The file.
    ///   - header: What `decoder.header()` gave.
    ///   - sidecars: XMP files that say what the file itself does not, the first one first.
    init(_ decoder: Decoder, header: Image, sidecars: [XMPPacket] = []) {
        self.decoder = decoder
        image = header
        blocks = MetadataBlocks(decoder.bytes, decoder.format, header: header)
        exif = blocks.exif.flatMap(ExifFacts.init)
        motion = MotionVideo(decoder.bytes, decoder.format, xmp: blocks.xmp)
        self.sidecars = sidecars
    }

    /// The facts.
    var facts: PhotoFacts {
        let isTurned = decoder.pendingOrientation(image) > 4
        var facts = PhotoFacts(
            format: decoder.format,
            pixelWidth: isTurned ? image.height : image.width,
            pixelHeight: isTurned ? image.width : image.height,
            orientation: exif?.orientation ?? decoder.pendingOrientation(image),
            bitsPerSample: image.format.size > 1 ? 16 : 8, hasAlpha: image.hasAlpha,
            colorModel: colorModel, hasFullChroma: hasFullChroma, isLossy: isLossy,
            frameCount: frameCount, mediaSubtypes: mediaSubtypes,
            creationDate: blocks.captureDate ?? firstOfSidecars(\.captureDate),
            location: exif?.location ?? blocks.xmp?.location ?? firstOfSidecars(\.location),
            metadata: blocks.photoMetadata(sidecars))
        facts.embeddedVideo = motion.video
        facts.embeddedVideoProblem = motion.problem
        facts.livePhotoVideoIndex = exif?.appleNote?.videoIndex
        let companions = FileMarks(decoder.bytes, decoder.format).companions
        facts.companions =
            companions.isEmpty ? nil : PhotoFacts.Companion.allCases.filter(companions.contains)
        return facts
    }

    private func firstOfSidecars<Value>(_ property: (XMPPacket) -> Value?) -> Value? {
        sidecars.lazy.compactMap(property).first
    }

    /// Whether the file's EXIF is malformed or far too large: only what is read here is known of it.
    var hasExcessiveExif: Bool { blocks.hasExcessiveExif }

    /// Frames or pages in the file.
    var frameCount: Int {
        let marks = FileMarks(decoder.bytes, decoder.format)
        return max(1, marks.frameCount ?? image.integer("n-pages") ?? 1)
    }

    /// Whether the frames are to be shown in turn: pages of a TIFF and pictures of a HEIF collection are not.
    private var isAnimated: Bool {
        switch decoder.format {
        case .gif, .webp, .png, .jxl: frameCount > 1
        case .heic, .avif: FileMarks(decoder.bytes, decoder.format).isSequence
        default: false
        }
    }

    private var mediaSubtypes: MediaSubtype {
        var subtypes = blocks.mediaSubtypes
            .union(FileMarks(decoder.bytes, decoder.format).mediaSubtypes)
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
            return reader.integers(0x0106, in: first) == [3]
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

    /// Whether a WebP file's first picture is a lossless one, `VP8L`.
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
