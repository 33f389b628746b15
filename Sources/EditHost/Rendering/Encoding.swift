// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension EncodeSettings {
    /// The quality of files with loss.
    static let renditionQuality = 92

    /// How the renditions of a photograph are encoded, by what its original is.
    ///
    /// JPEG stays JPEG with the source's chroma; other formats with loss become JPEG, or PNG
    /// where there is alpha or a side is too long; lossless ones keep their type; deep ones stay 16 bit; GIF gives PNG.
    static func rendition(of original: PhotoFacts) -> EncodeSettings {
        if original.video != nil { return video(of: original) }
        let isDeep = original.bitsPerSample > 8
        let isTooLargeForJPEG = max(original.pixelWidth, original.pixelHeight) > 65_500
        switch original.format {
        case .tiff:
            return EncodeSettings(format: .tiff, bitsPerSample: isDeep ? 16 : 8)
        case .png, .gif:
            return EncodeSettings(format: .png, bitsPerSample: isDeep ? 16 : 8)
        case .webp where !original.isLossy:
            return EncodeSettings(format: .webp)
        case .jpeg, .dng, .raw:
            return jpeg(fullChroma: original.hasFullChroma)
        default:
            if isDeep || original.hasAlpha || isTooLargeForJPEG {
                return EncodeSettings(format: .png, bitsPerSample: isDeep ? 16 : 8)
            }
            return jpeg(fullChroma: original.hasFullChroma)
        }
    }

    private static func video(of original: PhotoFacts) -> EncodeSettings {
        var settings = EncodeSettings(format: original.format.writtenVideo)
        settings.video = VideoSettings()
        settings.video?.copiesGroups = true
        return settings
    }

    /// How a step's output is stored as a base for others: without loss.
    static func base(of original: PhotoFacts) -> EncodeSettings {
        EncodeSettings(format: .tiff, bitsPerSample: original.bitsPerSample > 8 ? 16 : 8)
    }

    /// How an application gets the picture that it edits: quickly, and exactly.
    static let exchange: EncodeSettings = {
        // Pixels of 8 bits stay that.
        var settings = EncodeSettings(format: .tiff, bitsPerSample: 16)
        settings.isUncompressed = true
        return settings
    }()

    private static func jpeg(fullChroma: Bool) -> EncodeSettings {
        EncodeSettings(format: .jpeg, quality: renditionQuality, fullChroma: fullChroma)
    }
}
