// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import RunnerSupport
import Vips

/// Makes RGB or RGBA of 8 or 16 bits, straight alpha, of whatever a file holds.
///
/// Pixels that are RGB already keep their numbers and their profile. Gray with a profile and CMYK
/// are transformed to sRGB, gray without one is repeated, everything else goes through libvips'
/// colour spaces. High dynamic range is brought into that of sRGB.
enum WorkingColor {
    /// The working image of a decoded, upright picture.
    static func convert(_ image: Image) throws(RunnerFailure) -> Image {
        try wrapping("convert the colours", code: .badInput) {
            let converted = try converting(image)
            return try withFittingProfile(converted)
        }
    }

    /// Whether the numbers of a decoded picture without a profile stay as they are: RGB, and gray, which
    /// is repeated.
    static func keepsNumbers(_ image: Image) -> Bool {
        isPlain(image) && (image.format == .uchar || image.format == .ushort)
            && !image.hasField(HighDynamicRange.field)
    }

    private static func converting(_ image: Image) throws -> Image {
        if let range = image.string(HighDynamicRange.field).flatMap(HighDynamicRange.init(mark:)) {
            let plain = try image.copying { $0.remove(HighDynamicRange.field) }
            return try fromHighDynamicRange(try converting(plain), range)
        }
        let space = image.blob(ICCProfile.field).flatMap(ICCProfile.colorSpace)
        if image.interpretation == .cmyk || space == .cmyk && image.bands >= 4 {
            return try fromCMYK(image, hasProfile: space == .cmyk)
        }
        guard image.format == .uchar || image.format == .ushort, isPlain(image) else {
            return try viaColourSpace(image)
        }
        return image.bands < 3 ? try fromGray(image, space == .gray) : try fromRGB(image)
    }

    /// Whether the numbers are gray or RGB as they are.
    private static func isPlain(_ image: Image) -> Bool {
        switch image.interpretation {
        case .srgb, .rgb, .rgb16, .gray, .gray16, .multiband: true
        default: false
        }
    }

    private static func fromRGB(_ image: Image) throws -> Image {
        let kept = image.bands > 4 ? image.hasAlpha ? 4 : 3 : image.bands
        let bands =
            kept == image.bands ? image : try image.applying("extract_band", ["n": .integer(kept)])
        return try marked(bands)
    }

    private static func fromHighDynamicRange(
        _ image: Image, _ range: HighDynamicRange
    ) throws -> Image {
        let deep = try marked(try image.scaled(toBits: 16))
        return deep.bands < 3
            ? deep : try deep.mapping(ToneMappingKernel(mapping: ToneMapping(range)))
    }

    private static func fromGray(_ image: Image, _ hasProfile: Bool) throws -> Image {
        let isDeep = image.format == .ushort
        if hasProfile {
            let gray = try image.copying { $0.setInterpretation(isDeep ? .gray16 : .gray) }
            return try toSRGB(gray, ["embedded": true])
        }
        return try marked(try repeatingGray(image))
    }

    /// Three bands of one; a second band is alpha and becomes the fourth.
    static func repeatingGray(_ image: Image) throws -> Image {
        let gray = try image.applying("extract_band", ["band": 0])
        var bands = [gray, gray, gray]
        if image.bands == 2 { bands.append(try image.applying("extract_band", ["band": 1])) }
        let join = try ImageOperation("bandjoin")
        try join.set("in", to: .images(bands))
        try join.run()
        return try join.image()
    }

    private static func fromCMYK(_ image: Image, hasProfile: Bool) throws -> Image {
        let cmyk = try image.copying { $0.setInterpretation(.cmyk) }
        return try toSRGB(
            cmyk, hasProfile ? ["embedded": true] : ["input_profile": "cmyk"])
    }

    /// Through profiles to sRGB, at the same depth.
    static func toSRGB(
        _ image: Image, _ options: [String: OperationValue]
    ) throws -> Image {
        let isDeep = image.format != .uchar
        var all: [String: OperationValue] = [
            "output_profile": "srgb", "depth": .integer(isDeep ? 16 : 8),
            "black_point_compensation": true,
        ]
        all.merge(options) { _, new in new }
        return try marked(try image.applying("icc_transform", all))
    }

    private static func viaColourSpace(_ image: Image) throws -> Image {
        let isDeep = image.format.size > 1
        let plain = try image.copying { $0.remove(ICCProfile.field) }
        let converted = try plain.applying(
            "colourspace", ["space": isDeep ? "rgb16" : "srgb"])
        let cast = try converted.applying("cast", ["format": isDeep ? "ushort" : "uchar"])
        return try fromRGB(cast)
    }

    private static func marked(_ image: Image) throws -> Image {
        let wanted: Interpretation = image.format == .ushort ? .rgb16 : .srgb
        guard image.interpretation != wanted else { return image }
        return try image.copying { $0.setInterpretation(wanted) }
    }

    /// A profile that is not one for RGB says nothing about these pixels.
    private static func withFittingProfile(_ image: Image) throws -> Image {
        guard let profile = image.blob(ICCProfile.field),
            ICCProfile.colorSpace(profile) != .rgb
        else { return image }
        return try image.copying { $0.remove(ICCProfile.field) }
    }
}

/// Tone mapping of images, which have 16 bits a sample.
private struct ToneMappingKernel: PixelKernel {
    let mapping: ToneMapping

    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ source: UnsafePointer<Sample>, to destination: UnsafeMutablePointer<Sample>,
        pixels: Int, bands: Int
    ) {
        guard Sample.self == UInt16.self else { return }
        let (from, to) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(destination))
        mapping.map(
            from.assumingMemoryBound(to: UInt16.self), to: to.assumingMemoryBound(to: UInt16.self),
            pixels: pixels, bands: bands)
    }
}
