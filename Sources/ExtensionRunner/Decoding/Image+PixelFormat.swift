// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Vips

extension PixelFormat {
    /// Creates the layout of a working image.
    init(of image: Image) {
        let isDeep = image.format == .ushort
        self = image.bands == 4 ? isDeep ? .rgba16 : .rgba8 : isDeep ? .rgb16 : .rgb8
    }

    /// Returns the nearest of the accepted layouts. Alpha takes precedence over depth.
    func nearest(of accepted: [PixelFormat]) -> PixelFormat {
        func distance(_ other: PixelFormat) -> Int {
            let alpha = other.hasAlpha == hasAlpha ? 0 : hasAlpha ? 8 : 4
            let depth = other.bitsPerSample == bitsPerSample ? 0 : bitsPerSample == 16 ? 2 : 1
            return alpha + depth
        }
        return accepted.min { distance($0) < distance($1) } ?? self
    }

    /// The number of samples per pixel.
    var bands: Int { hasAlpha ? 4 : 3 }

    /// The libvips interpretation of such pixels.
    var interpretation: Interpretation { bitsPerSample == 16 ? .rgb16 : .srgb }

    /// The storage format of each sample.
    var bandFormat: BandFormat { bitsPerSample == 16 ? .ushort : .uchar }
}

extension Image {
    /// Converts the working image to another layout. Depth is scaled exactly, 255 to 65535. Added alpha is opaque;
    /// removed alpha is flattened onto the background, black by default.
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

    /// Scales 8 bits to 16 by 257, and back with rounding to the nearest value.
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
