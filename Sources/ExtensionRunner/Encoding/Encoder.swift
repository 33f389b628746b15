// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol
import RunnerSupport
import Vips

/// Encodes a working image. Equal images, settings and originals give equal bytes.
struct Encoder {
    /// What is wanted.
    let settings: EncodeSettings
    /// Whose metadata the file gets; nil: it gets none.
    let original: MetadataSource?
    /// The picture's size before it was reduced, if no edit has moved its pixels; nil: one may have.
    let unmovedSize: PixelSize?
    /// Where files can lie for a moment.
    let folder: RunnerFolder?

    init(
        settings: EncodeSettings, original: MetadataSource?, unmovedSize: PixelSize? = nil,
        folder: RunnerFolder? = nil
    ) {
        self.settings = settings
        self.unmovedSize = unmovedSize
        self.folder = folder
        self.original = settings.omittedMetadata == .all ? nil : original
    }

    /// The quality where a format with loss is given none.
    private static let defaultQuality = 92

    /// The image as it will be encoded: size, depth, alpha, metadata.
    ///
    /// - Parameter fullSize: its size before anybody reduced it.
    func prepare(_ image: Image, fullSize: PixelSize) throws(RunnerFailure) -> Image {
        try wrapping("prepare the output", code: .outputFailed) {
            var prepared = image
            if let box = settings.size {
                prepared = try prepared.resized(to: prepared.size.fitted(into: box))
                if prepared.size != fullSize, let sharpening = settings.sharpening {
                    prepared = try prepared.sharpened(sharpening)
                }
            }
            try FormatLimits.check(prepared.size, for: settings.format)
            let bits = settings.bitsPerSample == 16 && Self.canDo16.contains(settings.format)
            // Deep pixels are kept or rounded to the nearest of 255 steps; others stay as they are.
            let isDeep = prepared.format == .ushort && bits
            let hasAlpha = prepared.bands == 4 && settings.format != .jpeg
            let wanted: PixelFormat =
                hasAlpha ? isDeep ? .rgba16 : .rgba8 : isDeep ? .rgb16 : .rgb8
            prepared = try prepared.converted(to: wanted, background: 1)
            prepared = try ProfileConversion.convert(prepared, to: settings, in: folder)
            prepared = try EmbeddedProfile.accepted(prepared, for: settings.format)
            return try MetadataCopier.apply(original, to: prepared, settings, at: unmovedSize)
        }
    }

    private static let canDo16: Set<MediaFormat> = [.png, .tiff, .jxl]

    /// Pulls the pixels of a prepared image and writes the file.
    func write(_ image: Image, to file: OpenFile) throws {
        let target = try ImageTarget(fileDescriptor: file.descriptor)
        let (saver, options) = try saver(for: image)
        do {
            try MetadataCopier.writing(image) {
                try image.write(to: target, saver: saver, options: options)
            }
        } catch {
            try WritableFormats.require(settings.format)
            throw error
        }
        if settings.omittedMetadata == .all {
            try MetadataCopier.removeAll(from: file, settings.format)
        }
        guard let original else { return }
        try MetadataCopier.complete(
            file, of: image, from: original, settings, at: unmovedSize)
    }

    /// What of the original's metadata a prepared image has no place for.
    func omissions(of image: Image) -> [String] {
        original.map {
            MetadataCopier.omissions(of: image, from: $0, settings, at: unmovedSize)
        } ?? []
    }

    // MARK: - Savers

    private var quality: Int { min(100, max(1, settings.quality ?? Self.defaultQuality)) }

    /// The operation of libvips that writes an image, and its options. What is not said here is libvips'
    /// default, and the same in every run.
    func saver(
        for image: Image
    ) throws(RunnerFailure) -> (String, [String: OperationValue]) {
        let isLossless = settings.quality == nil
        switch settings.format {
        case .jpeg:
            return (
                "jpegsave_target",
                ["Q": .integer(quality), "subsample_mode": settings.fullChroma ? "off" : "on"]
            )
        case .png: return ("pngsave_target", [:])
        case .tiff:
            return (
                "tiffsave_target",
                [
                    "compression": settings.isUncompressed == true ? "none" : "deflate",
                    "predictor": "horizontal", "bigtiff": .bool(image.byteCount > 2 << 30),
                ]
            )
        case .webp:
            return (
                "webpsave_target", isLossless ? ["lossless": true] : ["Q": .integer(quality)]
            )
        case .heic, .avif:
            return (
                "heifsave_target",
                [
                    "Q": .integer(quality), "bitdepth": 8,
                    "compression": settings.format == .avif ? "av1" : "hevc",
                    "subsample_mode": settings.fullChroma ? "off" : "on",
                ]
            )
        case .jxl:
            return (
                "jxlsave_target", isLossless ? ["lossless": true] : ["Q": .integer(quality)]
            )
        case .gif: return ("gifsave_target", [:])
        default:
            throw RunnerFailure(
                code: .unwritableFormat,
                message: "\(settings.format.displayName) files cannot be written")
        }
    }
}
