// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension EncodeSettings {
    /// Returns the encoding settings for the renditions of an original, chosen by its format.
    ///
    /// JPEG stays JPEG and keeps the chroma of its source. Other lossy formats become JPEG, or PNG if they have alpha
    /// or a side is too long for JPEG. Lossless formats keep their type, deep ones stay at 16 bits, and GIF becomes
    /// PNG.
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

    /// Returns the settings for the stored result of a step: lossless TIFF, since later states are rendered from it.
    static func base(of original: PhotoFacts) -> EncodeSettings {
        EncodeSettings(format: .tiff, bitsPerSample: original.bitsPerSample > 8 ? 16 : 8)
    }

    /// The settings for the picture that an application edits: uncompressed TIFF, which is lossless and fast to
    /// encode.
    static let exchange: EncodeSettings = {
        // An upper bound: 8-bit pixels stay 8-bit.
        var settings = EncodeSettings(format: .tiff, bitsPerSample: 16)
        settings.isUncompressed = true
        return settings
    }()

    private static func jpeg(fullChroma: Bool) -> EncodeSettings {
        EncodeSettings(format: .jpeg, quality: defaultQuality, fullChroma: fullChroma)
    }
}
