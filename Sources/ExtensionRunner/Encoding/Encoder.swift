// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol
import RunnerSupport
import Vips

/// Encodes working images. Deterministic: equal images, settings and originals give equal bytes.
struct Encoder {
    /// The format, quality and metadata of the output.
    let settings: EncodeSettings
    /// The source of the file's metadata; `nil` to write none.
    let original: MetadataSource?
    /// The size of the picture before it was reduced; `nil` if an edit may have moved its pixels.
    let unreducedSize: PixelSize?
    /// The folder for temporary files.
    let folder: RunnerFolder?

    init(
        settings: EncodeSettings, original: MetadataSource?, unreducedSize: PixelSize? = nil,
        folder: RunnerFolder? = nil
    ) {
        self.settings = settings
        self.unreducedSize = unreducedSize
        self.folder = folder
        self.original = settings.omittedMetadata == .all ? nil : original
    }

    /// Returns the image to encode, with its final size, depth, alpha and metadata.
    ///
    /// - Parameter fullSize: The size before any reduction.
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
            let bits =
                settings.bitsPerSample == 16 && Self.formatsWith16Bits.contains(settings.format)
            // 16-bit samples are kept or rounded to 8 bits. 8-bit samples are never widened.
            let isDeep = prepared.format == .ushort && bits
            let hasAlpha = prepared.bands == 4 && settings.format != .jpeg
            let target: PixelFormat =
                hasAlpha ? isDeep ? .rgba16 : .rgba8 : isDeep ? .rgb16 : .rgb8
            prepared = try prepared.converted(to: target, background: 1)
            prepared = try ProfileConversion.convert(prepared, to: settings, in: folder)
            prepared = try EmbeddedProfile.accepted(prepared, for: settings.format)
            return try MetadataCopier.apply(original, to: prepared, settings, at: unreducedSize)
        }
    }

    private static let formatsWith16Bits: Set<MediaFormat> = [.png, .tiff, .jxl]

    /// Pulls the pixels of a prepared image and writes the file.
    ///
    /// - Throws: `unwritableFormat` if the encoder is missing, otherwise the error of libvips or of the output.
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
            file, of: image, from: original, settings, at: unreducedSize)
    }

    /// Returns the metadata of the original that a prepared image cannot hold.
    func omissions(of image: Image) -> [String] {
        original.map {
            MetadataCopier.omissions(of: image, from: $0, settings, at: unreducedSize)
        } ?? []
    }

    // MARK: - Savers

    private var quality: Int { min(100, max(1, settings.quality ?? EncodeSettings.defaultQuality)) }

    /// Returns the libvips saver for an image and its options. All other options keep the defaults of libvips, which
    /// are deterministic.
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
