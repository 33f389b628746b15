// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Vips

extension PixelFormat {
    /// The layout of a working image.
    init(of image: Image) {
        let isDeep = image.format == .ushort
        self = image.bands == 4 ? isDeep ? .rgba16 : .rgba8 : isDeep ? .rgb16 : .rgb8
    }

    /// The nearest of some layouts: alpha is kept first, then depth.
    func nearest(of accepted: [PixelFormat]) -> PixelFormat {
        func distance(_ other: PixelFormat) -> Int {
            let alpha = other.hasAlpha == hasAlpha ? 0 : hasAlpha ? 8 : 4
            let depth = other.bitsPerSample == bitsPerSample ? 0 : bitsPerSample == 16 ? 2 : 1
            return alpha + depth
        }
        return accepted.min { distance($0) < distance($1) } ?? self
    }

    /// Samples of a pixel.
    var bands: Int { hasAlpha ? 4 : 3 }

    /// What libvips calls such pixels.
    var interpretation: Interpretation { bitsPerSample == 16 ? .rgb16 : .srgb }

    /// How each sample is stored.
    var bandFormat: BandFormat { bitsPerSample == 16 ? .ushort : .uchar }
}

extension Image {
    /// The working image in another layout. Depth is scaled exactly, 255 to 65535; alpha is added
    /// opaque, or the picture laid on a background, black unless said otherwise.
    func converted(to target: PixelFormat, background: Double = 0) throws -> Image {
        let scaled = try scaled(toBits: target.bitsPerSample)
        let maximum = target.bitsPerSample == 16 ? 65535.0 : 255.0
        if scaled.bands == 4 && !target.hasAlpha {
            let value = background * maximum
            let flat = try scaled.applying(
                "flatten",
                ["background": .doubles([value, value, value]), "max_alpha": .double(maximum)])
            return try flat.casting(to: target.bandFormat)
        }
        if scaled.bands == 3 && target.hasAlpha {
            return try scaled.applying("bandjoin_const", ["c": .doubles([maximum])])
                .casting(to: target.bandFormat)
        }
        return scaled
    }

    /// 8 to 16 bits by 257, and back by rounding to the nearest.
    func scaled(toBits bits: Int) throws -> Image {
        if bits == 16 && format == .uchar {
            let wide = try applying("linear", ["a": 257.0, "b": 0.0])
            return try wide.casting(to: .ushort)
        }
        if bits == 8 && format == .ushort {
            return try applying("linear", ["a": .double(1.0 / 257), "b": 0.0]).casting(to: .uchar)
        }
        return self
    }
}
