// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import RunnerSupport
import Vips

/// Converts decoded pictures to RGB or RGBA with 8 or 16 bits and straight alpha.
///
/// RGB pixels keep their values and their profile. In floating point, 1 is white and higher values are clipped. CMYK
/// and gray with a profile are converted to sRGB. Gray without a profile is repeated in three bands. All other
/// colours are converted by libvips. High dynamic range is tone mapped to sRGB.
enum WorkingColor {
    /// Returns the working image of a decoded, upright picture.
    static func convert(_ image: Image) throws(RunnerFailure) -> Image {
        try wrapping("convert the colours", code: .badInput) {
            let converted = try converting(image)
            return try withFittingProfile(converted)
        }
    }

    /// Whether a decoded picture without a profile keeps its sample values: RGB, and gray, which is repeated.
    static func keepsSampleValues(_ image: Image) -> Bool {
        isPlain(image)
            && (image.format == .uchar || image.format == .ushort || greatest(image.format) != nil)
            && !image.hasField(HighDynamicRange.field)
    }

    /// Whether the working image keeps an RGB profile.
    static func keepsProfile(_ image: Image) -> Bool {
        isPlain(image) && image.interpretation != .cmyk && image.format != .char
    }

    private static func converting(_ image: Image) throws -> Image {
        if let range = image.string(HighDynamicRange.field).flatMap(HighDynamicRange.init(mark:)) {
            let plain = try image.copying { $0.remove(HighDynamicRange.field) }
            return try fromHighDynamicRange(try converting(plain), range)
        }
        if let greatest = greatest(image.format), isPlain(image) {
            return try converting(try image.scaled(from: greatest))
        }
        let space = image.blob(ICCProfile.field).flatMap(ICCProfile.colorSpace)
        if image.interpretation == .cmyk || space == .cmyk && image.bands >= 4 {
            return try fromCMYK(image, hasProfile: space == .cmyk)
        }
        guard image.format == .uchar || image.format == .ushort, isPlain(image) else {
            return try convertedByVips(image)
        }
        return image.bands < 3 ? try fromGray(image, space == .gray) : try fromRGB(image)
    }

    /// Whether the samples are plain gray or RGB.
    private static func isPlain(_ image: Image) -> Bool {
        switch image.interpretation {
        case .srgb, .rgb, .rgb16, .gray, .gray16, .multiband: true
        // libvips labels all floating-point RGB as scRGB, regardless of its curve.
        case .scrgb: [.float, .double].contains(image.format)
        default: false
        }
    }

    /// Returns the value of white; `nil` for unsigned 8 and 16 bits.
    private static func greatest(_ format: BandFormat) -> Double? {
        switch format {
        case .float, .double: 1
        case .uint: 4_294_967_295
        // As in libvips, negative values are black.
        case .short: 65_535
        default: nil
        }
    }

    private static func fromRGB(_ image: Image) throws -> Image {
        guard image.bands > 4 else { return try marked(image) }
        // The alpha band, if known, has already been moved to the fourth place.
        return try marked(try image.applying("extract_band", ["band": 0, "n": 3]))
    }

    private static func fromHighDynamicRange(
        _ image: Image, _ range: HighDynamicRange
    ) throws -> Image {
        let deep = try marked(try image.scaled(toBits: 16))
        // libvips shifts samples of 10 or 12 bits to 16 and leaves the lowest bits empty.
        let bits = image.integer("heif-bitdepth").flatMap { (9...15).contains($0) ? $0 : nil } ?? 16
        let white = 65_536 - (1 << (16 - bits))
        return deep.bands < 3
            ? deep
            : try deep.mapping(ToneMappingKernel(mapping: ToneMapping(range, white: white)))
    }

    private static func fromGray(_ image: Image, _ hasProfile: Bool) throws -> Image {
        let isDeep = image.format == .ushort
        if hasProfile {
            let gray = try image.copying { $0.setInterpretation(isDeep ? .gray16 : .gray) }
            return try toSRGB(gray, ["embedded": true])
        }
        return try marked(try repeatingGray(image))
    }

    /// Repeats gray in three bands. A second band is alpha and becomes the fourth.
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

    /// Converts colours to sRGB through ICC profiles, at the same depth.
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

    private static func convertedByVips(_ image: Image) throws -> Image {
        let isDeep = image.format.size > 1
        let plain = try image.copying { $0.remove(ICCProfile.field) }
        let converted = try plain.applying(
            "colourspace", ["space": isDeep ? "rgb16" : "srgb"])
        let cast = try converted.applying("cast", ["format": isDeep ? "ushort" : "uchar"])
        return try fromRGB(cast)
    }

    private static func marked(_ image: Image) throws -> Image {
        let interpretation: Interpretation = image.format == .ushort ? .rgb16 : .srgb
        guard image.interpretation != interpretation else { return image }
        return try image.copying { $0.setInterpretation(interpretation) }
    }

    /// Removes a profile that is not for RGB, because it does not describe these pixels.
    private static func withFittingProfile(_ image: Image) throws -> Image {
        guard let profile = image.blob(ICCProfile.field),
            ICCProfile.colorSpace(profile) != .rgb
        else { return image }
        return try image.copying { $0.remove(ICCProfile.field) }
    }
}

extension Image {
    /// Scales samples of another type to 16 bits: the range from 0 to `greatest` maps to 0 to 65535, other values are
    /// clipped.
    fileprivate func scaled(from greatest: Double) throws -> Image {
        let scaled =
            greatest == 65_535
            ? self : try applying("linear", ["a": .double(65_535 / greatest), "b": 0.0])
        let whole = try scaled.casting(to: .ushort)
        return try whole.copying { $0.setInterpretation(bands < 3 ? .gray16 : .rgb16) }
    }
}

/// Tone mapping of images with 16 bits per sample.
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
