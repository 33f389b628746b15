// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

extension Image {
    /// The size in pixels.
    var size: PixelSize { PixelSize(width: width, height: height) }

    /// Resizes an RGB or RGBA picture with a Lanczos filter. Alpha is premultiplied during the filtering, so that
    /// transparent pixels do not bleed.
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

    /// Averages blocks of `factor` by `factor` pixels. Incomplete blocks at the right and at the bottom are
    /// discarded.
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

    /// Converts the samples to unsigned 8 or 16 bits, rounded and clipped.
    func casting(to target: BandFormat) throws -> Image {
        guard format != target else { return self }
        let isFloating = [.float, .double].contains(format)
        let rounded = isFloating ? try applying("round", ["round": "rint"]) : self
        let cast = try rounded.applying("cast", ["format": .string(target.name)])
        return try cast.copying { $0.setInterpretation(target == .ushort ? .rgb16 : .srgb) }
    }
}
