// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What of an edit as it stands is looked at, and how closely.
package struct PreviewView: Codable, Hashable, Sendable {
    /// What it is fitted into; nil: the box of the display size. Nothing is enlarged.
    package var box: PixelSize?
    /// The part of the edited picture; nil: all of it, at display size.
    package var region: NormalizedRect?

    /// Makes one; every argument is the property of its name.
    package init(box: PixelSize? = nil, region: NormalizedRect? = nil) {
        self.box = box
        self.region = region
    }

    /// Whether the display image has too few pixels, so that the full size is needed: the part alone would
    /// fill its box with fewer than there are to show. Without a box it is looked at pixel by pixel.
    ///
    /// - Parameter displaySize: the longer side of the display image.
    package func needsFullSize(displaySize: Int) -> Bool {
        guard let region, region.isInUnitSquare else { return false }
        guard let box else { return true }
        return Double(box.width) > region.width * Double(displaySize)
            || Double(box.height) > region.height * Double(displaySize)
    }
}
