// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

extension PixelSize {
    /// The size, in the same proportions, that fits a box; never larger than this one.
    func fitted(into box: PixelSize) -> PixelSize {
        ImageGeometry.size(of: self, in: box, fills: false)
    }
}

extension Image {
    /// The size in pixels.
    var size: PixelSize { PixelSize(width: width, height: height) }

    /// The same RGB or RGBA picture at another size, by Lanczos filtering. Transparent pixels
    /// do not bleed: alpha is multiplied in for the while.
    func resized(to target: PixelSize) throws -> Image {
        guard target != size else { return self }
        let factor = max(
            Double(width) / Double(target.width), Double(height) / Double(target.height))
        let source = factor > 1 ? try cachingTiles(forReductionBy: factor) : self
        let scales: [String: OperationValue] = [
            "scale": .double(Double(target.width) / Double(width)),
            "vscale": .double(Double(target.height) / Double(height)),
        ]
        guard bands == 4 else { return try source.applying("resize", scales) }
        let maximum: [String: OperationValue] = ["max_alpha": format == .ushort ? 65535 : 255]
        let resized = try source.applying("premultiply", maximum).applying("resize", scales)
        let straight = try resized.applying("unpremultiply", maximum)
        return try straight.casting(to: format)
    }

    /// The same picture, whole blocks of so many pixels a side averaged to one. What is left over at the
    /// right and at the bottom is cut off.
    func blockReduced(by factor: Int) throws -> Image {
        guard factor > 1 else { return self }
        let factors: [String: OperationValue] = [
            "hshrink": .double(Double(factor)), "vshrink": .double(Double(factor)),
        ]
        let source = try cachingTiles(forReductionBy: Double(factor))
        guard bands == 4 else { return try source.applying("shrink", factors) }
        let maximum: [String: OperationValue] = ["max_alpha": format == .ushort ? 65535 : 255]
        return try source.applying("premultiply", maximum).applying("shrink", factors)
            .applying("unpremultiply", maximum).casting(to: format)
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
