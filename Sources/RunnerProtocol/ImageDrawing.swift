// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// How a picture is drawn for somebody who looks at it: in a few bits, at the size that is needed.
package struct ImageDrawing: Codable, Hashable, Sendable {
    /// Whether a thumbnail inside the file may stand for the picture.
    package enum EmbeddedThumbnail: String, Codable, Hashable, Sendable {
        /// No.
        case unused
        /// Where it is as large as what is wanted.
        case whereLargeEnough
        /// Nothing else is wanted, whatever its size. Where there is none of the picture's
        /// shape, nothing is drawn: the answer is `rendered`, of no pixels.
        case only
    }

    /// The size, in the proportions of what is drawn and no larger; nil: it stays as large as it is.
    package var box: PixelSize?
    /// Exactly that size; else a larger one, less than twice as large, that takes less work.
    package var isExact = true
    /// The part that is drawn; nil: all of it.
    package var crop: NormalizedRect?
    /// The pixels keep their colour profile and their depth; else they are sRGB of 8 bits.
    package var keepsProfile = false
    /// Transparent pixels are laid on white.
    package var isOpaque = false
    /// What of the file is drawn.
    package var thumbnail = EmbeddedThumbnail.unused
    /// How the picture is encoded into the descriptor `output`; nil: it is not.
    package var encoding: EncodeSettings?
    /// Whether the pixels are wanted. They go into the descriptor `pixels`; where that does not come along,
    /// the answer is `outputNeeded`.
    package var givesPixels = true

    /// Whether the base is a picture of a library's cache: upright, in sRGB, as large as it is wanted.
    package var isOfCache = false

    /// Makes one of the whole picture as it is.
    package init() {}
}

/// The sizes of drawings. Host and runner reckon with it alike.
package enum ImageGeometry {
    /// A part of a picture in pixels.
    package struct Region: Hashable, Sendable {
        package let left: Int
        package let top: Int
        package let size: PixelSize
    }

    /// The part of a picture that a crop leaves: at least one pixel, edges at the nearest pixel.
    package static func region(_ crop: NormalizedRect?, of size: PixelSize) -> Region {
        guard let crop, crop.isInUnitSquare else { return Region(left: 0, top: 0, size: size) }
        let (left, width) = span(crop.x, crop.width, of: size.width)
        let (top, height) = span(crop.y, crop.height, of: size.height)
        return Region(left: left, top: top, size: PixelSize(width: width, height: height))
    }

    private static func span(
        _ start: Double, _ length: Double, of count: Int
    ) -> (start: Int, length: Int) {
        let first = min(count - 1, max(0, Int((start * Double(count)).rounded())))
        let last = min(count, Int((min(1, start + length) * Double(count)).rounded()))
        return (first, max(1, last - first))
    }

    /// The size of a picture that fits a box, or covers it, in the same proportions; never larger than
    /// the picture.
    package static func size(
        of size: PixelSize, in box: PixelSize?, fills: Bool
    ) -> PixelSize {
        guard let box, size.width > 0, size.height > 0 else { return size }
        let scales = [
            Double(max(1, box.width)) / Double(size.width),
            Double(max(1, box.height)) / Double(size.height),
        ]
        let scale = min(1, fills ? max(scales[0], scales[1]) : min(scales[0], scales[1]))
        return PixelSize(
            width: max(1, Int((Double(size.width) * scale).rounded())),
            height: max(1, Int((Double(size.height) * scale).rounded())))
    }

    /// The size that a drawing's box stands for: itself, where it has the proportions of what is drawn. What
    /// the host thought of the size of a picture may be wrong.
    package static func target(_ box: PixelSize?, of size: PixelSize) -> PixelSize {
        guard let box, size.width > 0, size.height > 0 else { return size }
        let scales = (
            Double(box.width) / Double(size.width), Double(box.height) / Double(size.height)
        )
        let isAlike =
            abs(Double(size.height) * scales.0 - Double(box.height)) <= 1
            || abs(Double(size.width) * scales.1 - Double(box.width)) <= 1
        guard isAlike, box.width <= size.width, box.height <= size.height, box.width > 0,
            box.height > 0
        else { return Self.size(of: size, in: box, fills: false) }
        return box
    }

    /// How many times smaller a picture can be made by whole numbers without falling below a size.
    package static func wholeReduction(from size: PixelSize, to target: PixelSize) -> Int {
        max(1, min(size.width / max(1, target.width), size.height / max(1, target.height)))
    }
}
