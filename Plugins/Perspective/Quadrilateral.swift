// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Glibc

/// Four points that can be the image of a rectangle in perspective.
struct Quadrilateral {
    /// The corners, clockwise from the one nearest to the top left.
    let corners: [PlanePoint]
    let centre: PlanePoint

    /// Creates a quadrilateral from four points in any order.
    ///
    /// - Parameters:
    ///   - points: The points in unit coordinates, so that the aspect ratio of the picture does not affect the checks.
    ///   - picture: The picture, with its origin at the top left.
    /// - Throws: `EditingExtensionError` with `badParameter` unless the points are the corners of a convex
    ///   quadrilateral.
    init(_ points: [PlanePoint], of picture: UprightRectangle) throws {
        let centre = PlanePoint(
            x: points.reduce(0) { $0 + $1.x } / 4, y: points.reduce(0) { $0 + $1.y } / 4)
        // The order is clockwise, because y points down.
        let around = points.sorted {
            atan2($0.y - centre.y, $0.x - centre.x) < atan2($1.y - centre.y, $1.x - centre.x)
        }
        let first = around.indices.min {
            around[$0].x + around[$0].y < around[$1].x + around[$1].y
        }
        let ordered = (0..<4).map { around[($0 + (first ?? 0)) % 4] }
        try Self.check(ordered)
        corners = ordered.map { PlanePoint(x: $0.x * picture.width, y: $0.y * picture.height) }
        self.centre = PlanePoint(x: centre.x * picture.width, y: centre.y * picture.height)
    }

    private static func check(_ corners: [PlanePoint]) throws {
        let sides = sides(of: corners)
        for (side, next) in zip(sides, sides.dropFirst() + sides.prefix(1)) {
            let product = side.x * next.y - side.y * next.x
            // The product contains the sine of the angle. If the angle is less than a degree, three corners are nearly
            // on a line.
            guard product > 0.015 * side.length * next.length, side.length > 0 else {
                throw EditingExtensionError(
                    code: .badParameter,
                    message: "points must be the corners of a convex quadrilateral; "
                        + "no three may be on a line")
            }
        }
    }

    /// The lengths of the top, right, bottom and left sides.
    var lengths: [Double] { Self.sides(of: corners).map(\.length) }

    private static func sides(of corners: [PlanePoint]) -> [PlanePoint] {
        (0..<4).map { index in
            let (from, to) = (corners[index], corners[(index + 1) % 4])
            return PlanePoint(x: to.x - from.x, y: to.y - from.y)
        }
    }
}

extension PlanePoint {
    /// The distance from the origin.
    fileprivate var length: Double { (x * x + y * y).squareRoot() }
}
