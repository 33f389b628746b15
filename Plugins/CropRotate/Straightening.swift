// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Glibc

/// A rotation about the centre of a picture, and the frame that is kept.
struct Straightening {
    private let cosine: Double
    private let sine: Double
    private let width: Int
    private let height: Int
    private let expand: Bool

    /// Creates a rotation.
    ///
    /// - Parameters:
    ///   - angle: The angle in degrees clockwise.
    ///   - width: The width of the picture in pixels.
    ///   - height: The height of the picture in pixels.
    ///   - expand: Whether the frame contains all of the rotated picture. Otherwise it is the largest
    ///     centred rectangle of the same aspect ratio that the rotated picture fills.
    init(angle: Double, width: Int, height: Int, expand: Bool) {
        cosine = cos(angle * .pi / 180)
        sine = sin(angle * .pi / 180)
        self.width = width
        self.height = height
        self.expand = expand
    }

    /// The size of the result in pixels.
    var frame: (width: Int, height: Int) {
        let (columns, rows) = (Double(width), Double(height))
        let boundingWidth = columns * cosine + rows * abs(sine)
        let boundingHeight = columns * abs(sine) + rows * cosine
        // Values that are nearly whole numbers are rounded to them.
        let epsilon = 1e-9
        if expand {
            return (
                Int((boundingWidth - epsilon).rounded(.up)),
                Int((boundingHeight - epsilon).rounded(.up))
            )
        }
        let scale = min(columns / boundingWidth, rows / boundingHeight)
        return (
            max(Int((columns * scale + epsilon).rounded(.down)), 1),
            max(Int((rows * scale + epsilon).rounded(.down)), 1)
        )
    }

    /// Returns the part of the rotated picture in a unit rectangle of the frame. The pixels are interpolated only once.
    ///
    /// The size of the part is rounded to whole pixels, but its centre is not. If there are no empty corners, pixels
    /// less than one pixel beyond the edge repeat the edge.
    func apply(to image: Image, crop: UnitRectangle) throws -> Image {
        let frame = frame
        let part = crop.pixels(ofWidth: frame.width, height: frame.height)
        // The distance from the centre of the frame to the first pixel of the part.
        let right =
            (crop.x + crop.width / 2 - 0.5) * Double(frame.width) - Double(part.width - 1) / 2
        let down =
            (crop.y + crop.height / 2 - 0.5) * Double(frame.height) - Double(part.height - 1) / 2
        let map = AffineMap(
            xx: cosine, xy: sine, x: Double(width - 1) / 2 + cosine * right + sine * down,
            yx: -sine, yy: cosine, y: Double(height - 1) / 2 - sine * right + cosine * down)
        return try image.warped(
            by: map, width: part.width, height: part.height, edges: expand ? .empty : .repeated)
    }
}
