// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Vips

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
