// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension PixelSize {
    /// Returns this size scaled to fit a box, with the same aspect ratio. Never enlarges.
    func fitted(into box: PixelSize) -> PixelSize {
        ImageGeometry.size(of: self, in: box, fills: false)
    }
}

extension PixelSize {
    var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// Returns this size with each side at most as long as that of the other size.
    func limited(to other: PixelSize) -> PixelSize {
        PixelSize(width: min(width, other.width), height: min(height, other.height))
    }
}
