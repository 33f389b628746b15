// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Size calculations shared by host and runner.
package enum ImageGeometry {
    /// A rectangular part of a picture in pixels.
    package struct Region: Hashable, Sendable {
        package let left: Int
        package let top: Int
        package let size: PixelSize
    }

    /// Returns the part of a picture that a crop keeps: at least one pixel, edges rounded to the nearest pixel.
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

    /// Returns the size of a picture scaled to fit a box, or to fill it, with the same aspect ratio. It is never
    /// larger than the picture.
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

    /// Returns the target size for a box: the box itself if it has the aspect ratio of the rendered part. Otherwise the
    /// host's assumption about the size of the picture was wrong, and the part is fitted into the box.
    package static func target(_ box: PixelSize?, of size: PixelSize) -> PixelSize {
        guard let box, size.width > 0, size.height > 0 else { return size }
        let scales = (
            Double(box.width) / Double(size.width), Double(box.height) / Double(size.height)
        )
        let hasSameAspectRatio =
            abs(Double(size.height) * scales.0 - Double(box.height)) <= 1
            || abs(Double(size.width) * scales.1 - Double(box.width)) <= 1
        guard hasSameAspectRatio, box.width <= size.width, box.height <= size.height, box.width > 0,
            box.height > 0
        else { return Self.size(of: size, in: box, fills: false) }
        return box
    }

    /// Returns the largest integer factor by which a picture can be reduced without falling below a size.
    package static func wholeReduction(from size: PixelSize, to target: PixelSize) -> Int {
        max(1, min(size.width / max(1, target.width), size.height / max(1, target.height)))
    }
}
