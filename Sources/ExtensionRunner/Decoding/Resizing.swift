// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Vips

extension PixelSize {
    /// The size, in the same proportions, that fits a box; never larger than this one.
    func fitted(into box: PixelSize) -> PixelSize {
        let scale = min(
            1, Double(max(1, box.width)) / Double(width),
            Double(max(1, box.height)) / Double(height))
        return PixelSize(
            width: max(1, Int((Double(width) * scale).rounded())),
            height: max(1, Int((Double(height) * scale).rounded())))
    }
}

extension Image {
    /// The size in pixels.
    var size: PixelSize { PixelSize(width: width, height: height) }

    /// The same RGB or RGBA picture at another size, by Lanczos filtering. Transparent pixels
    /// do not bleed: alpha is multiplied in for the while.
    func resized(to target: PixelSize) throws -> Image {
        guard target != size else { return self }
        let scales: [String: OperationValue] = [
            "scale": .double(Double(target.width) / Double(width)),
            "vscale": .double(Double(target.height) / Double(height)),
        ]
        guard bands == 4 else { return try applying("resize", scales) }
        let maximum: [String: OperationValue] = ["max_alpha": format == .ushort ? 65535 : 255]
        let resized = try applying("premultiply", maximum).applying("resize", scales)
        let straight = try resized.applying("unpremultiply", maximum)
        return try straight.casting(to: format)
    }

    /// The same numbers, rounded and clipped, stored in another way: 8 and 16 bit, unsigned.
    func casting(to target: BandFormat) throws -> Image {
        guard format != target else { return self }
        let isFloating = [.float, .double].contains(format)
        let rounded = isFloating ? try applying("round", ["round": "rint"]) : self
        let cast = try rounded.applying("cast", ["format": .string(target.name)])
        return try cast.copying { $0.setInterpretation(target == .ushort ? .rgb16 : .srgb) }
    }
}
