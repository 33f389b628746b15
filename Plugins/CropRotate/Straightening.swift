// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Glibc

/// A rotation about the centre by a small angle, and the frame that is kept.
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

    /// Returns the rotated picture. Interpolation weights colours by alpha.
    func apply(to image: Image) throws -> Image {
        guard image.bands == 4 else { return try rotate(image) }
        let opaque: OperationValue = image.format == .uchar ? 255 : 65535
        return try rotate(image.applying("premultiply", ["max_alpha": opaque]))
            .applying("unpremultiply", ["max_alpha": opaque])
            .applying("round", ["round": "rint"])
            .applying("cast", ["format": .string(image.format.name)])
    }

    private func rotate(_ image: Image) throws -> Image {
        // Without empty corners, pixels less than one pixel beyond the edge repeat the edge. With
        // empty corners, they are empty.
        let margin = expand ? 0 : 4
        let source =
            expand
            ? image
            : try image.applying(
                "embed",
                [
                    "x": .integer(margin), "y": .integer(margin), "extend": "copy",
                    "width": .integer(width + 2 * margin), "height": .integer(height + 2 * margin),
                ])
        let size = frame
        // libvips puts the centre of the first pixel at (0, 0).
        let from = (x: Double(source.width - 1) / 2, y: Double(source.height - 1) / 2)
        let to = (x: Double(size.width - 1) / 2, y: Double(size.height - 1) / 2)
        return try source.applying(
            "affine",
            [
                "matrix": .doubles([cosine, -sine, sine, cosine]),
                "odx": .double(to.x - cosine * from.x + sine * from.y),
                "ody": .double(to.y - sine * from.x - cosine * from.y),
                "oarea": .doubles([0, 0, Double(size.width), Double(size.height)]),
                "interpolate": "bicubic", "premultiplied": true,
                "extend": "background", "background": [0],
            ])
    }
}
