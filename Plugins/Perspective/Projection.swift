// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Glibc

/// A projective map of the plane: (x, y) to ((a x + b y + c) / w, (d x + e y + f) / w) with w = g x + h y + i.
struct Projection {
    /// The coefficients a to i.
    let numbers: [Double]

    init(_ numbers: [Double]) { self.numbers = numbers }

    /// Creates the map from a picture to the view of a rotated camera.
    ///
    /// A pixel corresponds to the ray (x, y, focal length) from the centre of projection. The view is the intersection
    /// of the rotated rays with the plane of the picture.
    ///
    /// - Parameters:
    ///   - down: The rotation downwards in radians.
    ///   - right: The rotation to the right in radians, which follows the rotation downwards.
    ///   - focalLength: The distance of the picture from the centre of projection, in pixels.
    ///   - centre: The principal point in pixels.
    init(
        turnedDown down: Double, right: Double, focalLength f: Double,
        about centre: PlanePoint
    ) {
        let (cosine, sine) = (cos(down), sin(down))
        let turnDown = Projection([1, 0, 0, 0, cosine, -f * sine, 0, sine / f, cosine])
        let (cosineRight, sineRight) = (cos(right), sin(right))
        let turnRight = Projection(
            [cosineRight, 0, -f * sineRight, 0, 1, 0, sineRight / f, 0, cosineRight])
        self = Projection([1, 0, -centre.x, 0, 1, -centre.y, 0, 0, 1])
            .followed(by: turnDown).followed(by: turnRight)
    }

    /// Creates the map from a convex quadrilateral to an upright rectangle, whose width and height are the means of
    /// opposite sides.
    ///
    /// It is derived from the map of the unit square to the quadrilateral: P. Heckbert, "Fundamentals of Texture
    /// Mapping and Image Warping" (1989), section 2.2.3.
    ///
    /// - Parameter quadrilateral: The shape that becomes the rectangle. The rectangle has its origin at the top left
    ///   corner.
    init(rectangleFrom quadrilateral: Quadrilateral) {
        let (corners, lengths) = (quadrilateral.corners, quadrilateral.lengths)
        let (p, q, r, s) = (corners[0], corners[1], corners[2], corners[3])
        let (dx1, dy1) = (q.x - r.x, q.y - r.y)
        let (dx2, dy2) = (s.x - r.x, s.y - r.y)
        let sum = (x: p.x - q.x + r.x - s.x, y: p.y - q.y + r.y - s.y)
        let determinant = dx1 * dy2 - dx2 * dy1
        let g = (sum.x * dy2 - dx2 * sum.y) / determinant
        let h = (dx1 * sum.y - sum.x * dy1) / determinant
        let fromSquare = Projection([
            q.x - p.x + g * q.x, s.x - p.x + h * s.x, p.x,
            q.y - p.y + g * q.y, s.y - p.y + h * s.y, p.y, g, h, 1,
        ])
        let (width, height) = ((lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2)
        self = fromSquare.inverse.followed(by: Projection([width, 0, 0, 0, height, 0, 0, 0, 1]))
    }

    /// Returns this map, followed by a change of the ratio of width to height by two to a power. The change preserves
    /// areas.
    func scaled(by aspect: Double) -> Projection {
        let factor = exp2(aspect / 2)
        return followed(by: Projection([factor, 0, 0, 0, 1 / factor, 0, 0, 0, 1]))
    }

    /// Returns this map, followed by another one.
    func followed(by next: Projection) -> Projection {
        Projection(
            (0..<9).map { index in
                let (row, column) = (index / 3 * 3, index % 3)
                return (0..<3).reduce(0) { $0 + next.numbers[row + $1] * numbers[3 * $1 + column] }
            })
    }

    /// The inverse map. Its coefficients are the cofactors, because a common factor does not matter.
    var inverse: Projection {
        let n = numbers
        return Projection([
            n[4] * n[8] - n[5] * n[7], n[2] * n[7] - n[1] * n[8], n[1] * n[5] - n[2] * n[4],
            n[5] * n[6] - n[3] * n[8], n[0] * n[8] - n[2] * n[6], n[2] * n[3] - n[0] * n[5],
            n[3] * n[7] - n[4] * n[6], n[1] * n[6] - n[0] * n[7], n[0] * n[4] - n[1] * n[3],
        ])
    }

    /// Returns the denominator w at a point, which is proportional to the point's distance from the horizon.
    func denominator(at point: PlanePoint) -> Double {
        numbers[6] * point.x + numbers[7] * point.y + numbers[8]
    }

    /// Returns the factor by which areas change at a point. It is negative if the map mirrors.
    func enlargement(at point: PlanePoint) -> Double {
        let n = numbers
        let determinant =
            n[0] * (n[4] * n[8] - n[5] * n[7]) - n[1] * (n[3] * n[8] - n[5] * n[6])
            + n[2] * (n[3] * n[7] - n[4] * n[6])
        let w = denominator(at: point)
        return determinant / (w * w * w)
    }
}

extension Projection: WarpMap {
    func position(ofX column: Double, y row: Double) -> (x: Double, y: Double) {
        let point = callAsFunction(PlanePoint(x: column, y: row))
        return (point.x, point.y)
    }

    func callAsFunction(_ point: PlanePoint) -> PlanePoint {
        let w = denominator(at: point)
        return PlanePoint(
            x: (numbers[0] * point.x + numbers[1] * point.y + numbers[2]) / w,
            y: (numbers[3] * point.x + numbers[4] * point.y + numbers[5]) / w)
    }
}
