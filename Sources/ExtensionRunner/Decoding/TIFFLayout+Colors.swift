// SPDX-License-Identifier: Apache-2.0

import Vips

extension TIFFLayout {
    /// Returns the image with its colour bands and at most one more, which is alpha.
    func arranged(_ image: Image) throws -> Image {
        var arranged = image
        if isYCbCr, image.bands == 3 {
            arranged = try image.mapping(
                YCbCrKernel(luminance, references, isDeep: image.format == .ushort))
        }
        guard let count = colorCount, image.bands > count else { return arranged }
        if image.bands > count + 1 { arranged = try withoutExtras(arranged, count) }
        guard isAssociated else { return arranged }
        let straight: Image
        switch image.format {
        case .float, .double:
            // libvips divides by alpha as if it had 8 bits.
            let factors = (0..<arranged.bands).map { $0 < count ? 1.0 / 255 : 1 }
            straight = try arranged.applying(
                "linear", ["a": .doubles(factors), "b": .doubles(factors.map { _ in 0 })])
        case .uint:
            // libvips has not divided, see ``markedAsStraight(_:)``. It divides by alpha of at most 100,000,000.
            let scale = 65_535 / 4_294_967_295.0
            straight = try arranged.applying("linear", ["a": .double(scale), "b": 0.0])
                .applying("unpremultiply", ["max_alpha": 65_535.0])
                .applying("linear", ["a": .double(1 / scale), "b": 0.0])
        default: return arranged
        }
        return try straight.applying("cast", ["format": .string(image.format.name)]).copying {
            $0.setInterpretation(arranged.interpretation)
        }
    }

    /// Removes all extra bands except alpha.
    private func withoutExtras(_ image: Image, _ count: Int) throws -> Image {
        let colors = try image.applying("extract_band", ["band": 0, "n": .integer(count)])
        var bands = [colors]
        if let alpha, count + alpha < image.bands {
            bands.append(try image.applying("extract_band", ["band": .integer(count + alpha)]))
        }
        let join = try ImageOperation("bandjoin")
        try join.set("in", to: .images(bands))
        try join.run()
        let isDeep = image.format == .ushort
        return try join.image().copying { metadata in
            switch count {
            case 1: metadata.setInterpretation(isDeep ? .gray16 : .gray)
            case 3 where image.format == .float || image.format == .double:
                metadata.setInterpretation(.scrgb)
            case 3: metadata.setInterpretation(isDeep ? .rgb16 : .srgb)
            default: metadata.setInterpretation(.cmyk)
            }
        }
    }

}

/// Converts YCbCr to RGB (TIFF 6.0, sections 20 and 21).
private struct YCbCrKernel: PixelKernel {
    private let luminance: [Float]
    /// The offset subtracted from each component, and the factor it is multiplied by.
    private let black: [Float]
    private let scale: [Float]

    init(_ luminance: [Double], _ references: [Double]?, isDeep: Bool) {
        self.luminance = luminance.map { Float($0) }
        let greatest = isDeep ? 65_535.0 : 255
        let middle = isDeep ? 32_768.0 : 128
        let values = references ?? [0, greatest, middle, greatest, middle, greatest]
        black = [0, 2, 4].map { Float(values[$0]) }
        scale = [0, 2, 4].map { index in
            let range = index == 0 ? greatest : middle - 1
            return Float(range / (values[index + 1] - values[index]))
        }
    }

    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ source: UnsafePointer<Sample>, to destination: UnsafeMutablePointer<Sample>,
        pixels: Int, bands: Int
    ) {
        let greatest = Float(Sample.max)
        func stored(_ value: Float) -> Sample { Sample(max(0, min(greatest, value.rounded()))) }
        for place in stride(from: 0, to: pixels * bands, by: bands) {
            let (y, b, r) = (
                (Float(source[place]) - black[0]) * scale[0],
                (Float(source[place + 1]) - black[1]) * scale[1],
                (Float(source[place + 2]) - black[2]) * scale[2]
            )
            let red = y + (2 - 2 * luminance[0]) * r
            let blue = y + (2 - 2 * luminance[2]) * b
            let green = (y - luminance[0] * red - luminance[2] * blue) / luminance[1]
            destination[place] = stored(red)
            destination[place + 1] = stored(green)
            destination[place + 2] = stored(blue)
        }
    }
}
