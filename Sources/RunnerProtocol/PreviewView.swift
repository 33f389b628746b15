// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The visible part of the current edit, and its display size.
package struct PreviewView: Codable, Hashable, Sendable {
    /// The box into which the part is fitted, never enlarged. Nil means the box of the display size.
    package var box: PixelSize?
    /// The part of the edited picture. Nil means all of it, at display size.
    package var region: NormalizedRect?
    /// Whether a preview from the display image was tried and had too few pixels to fill the box.
    package var isCloser: Bool?

    /// Creates a view from a box and a part.
    package init(box: PixelSize? = nil, region: NormalizedRect? = nil) {
        self.box = box
        self.region = region
    }

    /// Returns whether the full-size image is needed, because the part of the display image has too few pixels to
    /// fill the box. Without a box, the part is shown pixel by pixel.
    ///
    /// - Parameter displaySize: The longer side of the display image.
    package func needsFullSize(displaySize: Int) -> Bool {
        guard let region, region.isInUnitSquare else { return false }
        guard let box, isCloser != true else { return true }
        return Double(box.width) > region.width * Double(displaySize)
            || Double(box.height) > region.height * Double(displaySize)
    }

    /// Returns the same view from the full-size image. Nil if the rendered preview fills the box, or if the
    /// full-size image was already used. Edits that crop leave fewer pixels than ``needsFullSize(displaySize:)``
    /// can predict.
    ///
    /// - Parameters:
    ///   - shown: The size of the rendered preview.
    ///   - displaySize: The longer side of the display image.
    package func closer(than shown: PixelSize, displaySize: Int) -> PreviewView? {
        guard let box, region != nil, shown.width < box.width, shown.height < box.height,
            !needsFullSize(displaySize: displaySize)
        else { return nil }
        var closer = self
        closer.isCloser = true
        return closer
    }
}
