// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// The reduction of a picture or a part of it.
struct DisplayReduction {
    let crop: NormalizedRect?
    /// The size of the part before the reduction.
    private let part: PixelSize
    /// The size after the reduction. Exact, or the minimum size for a reduction by whole numbers.
    let target: PixelSize
    let isExact: Bool

    /// - Parameter size: The full size of the picture.
    init(_ display: DisplaySettings, of size: PixelSize) {
        let part = ImageGeometry.region(display.crop, of: size).size
        self.init(
            crop: display.crop, part: part,
            target: ImageGeometry.target(display.box, of: part),
            isExact: display.isExact)
    }

    private init(crop: NormalizedRect?, part: PixelSize, target: PixelSize, isExact: Bool) {
        self.crop = crop
        self.part = part
        self.target = target
        self.isExact = isExact
    }

    /// The reduction of the whole picture before a quarter turn.
    var transposed: DisplayReduction {
        DisplayReduction(
            crop: nil, part: part.transposed, target: target.transposed, isExact: isExact)
    }

    /// The maximum reduction by a decoder. Images that are filtered to an exact size are left twice as large, as in
    /// vips_thumbnail(), because the decoder's own reduction sharpens.
    var decoderFactor: Int {
        let factor = ImageGeometry.wholeReduction(from: part, to: target)
        return isExact ? factor / 2 : factor
    }
}
