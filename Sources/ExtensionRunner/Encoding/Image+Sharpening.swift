// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import Vips

extension Image {
    /// Sharpens an RGB or RGBA picture for screens with `vips_sharpen`. The lightness is increased by its difference
    /// from a blurred copy if that is above the noise, within limits for brightening and darkening. Alpha is unchanged.
    func sharpened(_ amount: EncodeSettings.Sharpening) throws -> Image {
        // The defaults of libvips are meant for screens. Its default slope of 3 is the standard amount.
        let slope =
            switch amount {
            case .low: 1.5
            case .standard: 3.0
            case .high: 5.0
            }
        let options: [String: OperationValue] = ["sigma": 0.5, "m2": .double(slope)]
        guard bands == 4 else { return try applying("sharpen", options).casting(to: format) }
        let colors = try applying("extract_band", ["band": 0, "n": 3])
            .applying("sharpen", options).casting(to: format)
        let alpha = try applying("extract_band", ["band": 3])
        let join = try ImageOperation("bandjoin")
        try join.set("in", to: .images([colors, alpha]))
        try join.run()
        return try join.image()
    }
}
