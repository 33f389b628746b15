// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What of an edit as it stands is looked at, and how closely.
package struct PreviewView: Codable, Hashable, Sendable {
    /// What it is fitted into; nil: the box of the display size. Nothing is enlarged.
    package var box: PixelSize?
    /// The part of the edited picture; nil: all of it, at display size.
    package var region: NormalizedRect?
    /// The display image has been tried, and shows fewer pixels of the part than there is room for.
    package var isCloser: Bool?

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
        guard let box, isCloser != true else { return true }
        return Double(box.width) > region.width * Double(displaySize)
            || Double(box.height) > region.height * Double(displaySize)
    }

    /// The same from the full size; nil where the picture that came of this view shows all that there is room
    /// for, or where the full size was used. Edits that crop leave fewer pixels than ``needsFullSize(displaySize:)``
    /// can know of.
    ///
    /// - Parameters:
    ///   - shown: the size of that picture.
    ///   - displaySize: the longer side of the display image.
    package func closer(than shown: PixelSize, displaySize: Int) -> PreviewView? {
        guard let box, region != nil, shown.width < box.width, shown.height < box.height,
            !needsFullSize(displaySize: displaySize)
        else { return nil }
        var closer = self
        closer.isCloser = true
        return closer
    }
}
