// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

extension Image {
    /// Returns the part inside a rectangle, the whole image for `nil`.
    func part(_ rectangle: NormalizedRect?) throws -> Image {
        let region = ImageGeometry.region(rectangle, of: size)
        guard region.size != size else { return self }
        return try applying(
            "extract_area",
            [
                "left": .integer(region.left), "top": .integer(region.top),
                "width": .integer(region.size.width), "height": .integer(region.size.height),
            ])
    }
}
