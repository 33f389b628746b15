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
