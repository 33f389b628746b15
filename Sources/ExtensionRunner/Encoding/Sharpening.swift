// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import Vips

extension Image {
    /// The same RGB or RGBA picture, sharpened for a screen: what a blurred copy lacks of its lightness is added where that is
    /// more than noise, by `vips_sharpen` with its limits of brightening and darkening. Alpha stays as it is.
    func sharpened(_ amount: EncodeSettings.Sharpening) throws -> Image {
        // libvips' defaults are meant for screens, and its slope of 3 is the standard one.
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
