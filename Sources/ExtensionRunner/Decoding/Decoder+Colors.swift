// SPDX-License-Identifier: Apache-2.0

import EditingModel
import ImageMetadata
import RunnerSupport
import Vips

/// Colour information in files besides ICC profiles. It is converted to a profile, so that all other code handles
/// only profiles. High dynamic range is marked in a field of the image.
extension Decoder {
    /// The high dynamic range of the picture; `nil` if it has standard range or a profile that describes it.
    var highDynamicRange: HighDynamicRange? {
        (try? header())?.string(HighDynamicRange.field).flatMap(HighDynamicRange.init(mark:))
    }

    /// Returns the image with the colour information of its file.
    func withColors(_ image: Image) throws -> Image {
        switch format {
        case .heic, .avif:
            guard !image.hasField(ICCProfile.field), let points = CodePoints(heif: bytes) else {
                return image
            }
            return try tagged(image, by: points)
        case .png: return try withColorsOfPNG(image)
        case .jxl:
            guard let profile = image.blob(ICCProfile.field),
                let points = ICCProfile.name(profile).flatMap(CodePoints.init(nameOfProfile:)),
                let range = points.highDynamicRange
            else { return image }
            return try image.copying { metadata in
                metadata.remove(ICCProfile.field)
                metadata.set(HighDynamicRange.field, to: range.mark)
            }
        case .jpeg, .tiff: return try withColorsOfExif(image)
        default: return image
        }
    }

    private func tagged(_ image: Image, by points: CodePoints) throws -> Image {
        if let range = points.highDynamicRange {
            return try image.copying { $0.set(HighDynamicRange.field, to: range.mark) }
        }
        return try points.space.map { try tagged(image, in: $0) } ?? image
    }

    /// Attaches the profile of a colour space. Spaces close to sRGB need none.
    private func tagged(_ image: Image, in space: RGBSpace) throws -> Image {
        guard !space.isStandard, let profile = try space.profile(),
            try EmbeddedProfile.isUsable(profile)
        else { return image }
        return try image.copying { $0.set(ICCProfile.field, to: profile) }
    }

    // MARK: - PNG

    /// Applies the colour information of a PNG. The precedence is cICP, then the profile, then sRGB, then gAMA and
    /// cHRM.
    private func withColorsOfPNG(_ image: Image) throws -> Image {
        let colors = PNGColorChunks(bytes)
        var points = colors.codePoints
        if points == nil, colors.profileName == PNGColorChunks.nameOfPQ {
            points = CodePoints(primaries: 9, transfer: 16)
        }
        if let points, points.highDynamicRange != nil || points.space != nil {
            let plain = try image.copying { $0.remove(ICCProfile.field) }
            let full = points.isFullRange ? plain : try plain.expandingNarrowRange()
            let tagged = try tagged(full, by: points)
            guard points.highDynamicRange != nil,
                let standard = try NamedProfile.bytes(.sRGB, original: nil)
            else { return tagged }
            // Tone mapping converts to sRGB, so the result is tagged as such, like a tagged file.
            return try tagged.copying { $0.set(ICCProfile.field, to: standard) }
        }
        guard !image.hasField(ICCProfile.field), !colors.isStandard, let space = colors.space
        else { return image }
        return try tagged(image, in: space)
    }

    // MARK: - EXIF

    /// Adds the profile of Adobe RGB as DCF 2.0 specifies: not sRGB, with the interoperability index R03.
    private func withColorsOfExif(_ image: Image) throws -> Image {
        guard !image.hasField(ICCProfile.field), image.bands >= 3, image.interpretation != .cmyk
        else { return image }
        let reader =
            format == .tiff
            ? TIFFReader(bytes) : image.blob("exif-data").flatMap { TIFFReader(exif: $0) }
        guard reader.flatMap(ExifColorSpace.init) == .adobeRGB else { return image }
        return try image.copying { $0.set(ICCProfile.field, to: NamedProfile.adobeRGB) }
    }
}

extension Image {
    /// Expands narrow-range samples, 16 to 235 of 255, to the full range. Alpha always has the full range.
    fileprivate func expandingNarrowRange() throws -> Image {
        let steps = format == .ushort ? 256.0 : 1
        let scale = (format == .ushort ? 65535.0 : 255) / (219 * steps)
        let isColor = (0..<bands).map { !hasAlpha || $0 < bands - 1 }
        return try applying(
            "linear",
            [
                "a": .doubles(isColor.map { $0 ? scale : 1 }),
                "b": .doubles(isColor.map { $0 ? -16 * steps * scale : 0 }),
            ]
        ).casting(to: format).copying { $0.setInterpretation(interpretation) }
    }
}
