// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// The largest upright rectangle of a projected picture that has no empty corners.
struct CorrectedView {
    private let map: Projection
    private let width: Int
    private let height: Int

    /// The distance of the horizon, relative to that of the reference point, below which parts are cropped because they
    /// would be enlarged too much. At 0.3, the area is enlarged 37 times as much as at the point.
    private static let nearestHorizon = 0.3

    /// Finds the rectangle. The scale is such that the surroundings of a point keep their size, or smaller if the view
    /// would otherwise have more pixels than the picture.
    ///
    /// - Parameters:
    ///   - picture: The picture, with its origin at the corner of the top left pixel.
    ///   - projection: The map from the picture to the view.
    ///   - point: The point of the picture whose surroundings keep their size.
    /// - Throws: `EditingExtensionError` with `badParameter` if the point is at or beyond the horizon.
    init(
        of picture: UprightRectangle, through projection: Projection, about point: PlanePoint
    ) throws {
        let reference = projection.denominator(at: point)
        let visible = ConvexPolygon(picture.corners).clipped {
            projection.denominator(at: $0) / reference - Self.nearestHorizon
        }
        let outline = ConvexPolygon(visible.corners.map { projection($0) })
        let enlargement = projection.enlargement(at: point)
        let rectangle = outline.largestRectangle
        guard enlargement.isFinite, enlargement > 0, rectangle.area.isFinite, rectangle.area > 0
        else {
            throw EditingExtensionError(
                code: .badParameter,
                message: "points must be farther from the horizon of their plane")
        }
        let scale = min(1 / enlargement, picture.area / rectangle.area).squareRoot()
        // Values that are nearly whole numbers are rounded to them.
        self.width = max(1, Int((rectangle.width * scale + 1e-6).rounded(.down)))
        self.height = max(1, Int((rectangle.height * scale + 1e-6).rounded(.down)))
        // The map leads from the centre of a pixel of the result to the view, and from there to the centre of a pixel
        // of the picture.
        let left = rectangle.x + (rectangle.width - Double(self.width) / scale) / 2
        let top = rectangle.y + (rectangle.height - Double(self.height) / scale) / 2
        map = Projection([
            1 / scale, 0, left + 0.5 / scale, 0, 1 / scale, top + 0.5 / scale, 0, 0, 1,
        ])
        .followed(by: projection.inverse)
        .followed(by: Projection([1, 0, -0.5, 0, 1, -0.5, 0, 0, 1]))
    }

    /// Returns the view of the picture. The pixels are interpolated only once.
    func apply(to image: Image) throws -> Image {
        try image.warped(by: map, width: width, height: height)
    }
}
