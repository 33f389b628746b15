// SPDX-License-Identifier: Apache-2.0

/// A rectangle with horizontal and vertical sides, in pixels.
struct UprightRectangle {
    var x = 0.0
    var y = 0.0
    var width = 0.0
    var height = 0.0

    var area: Double { width * height }

    var diagonal: Double { (width * width + height * height).squareRoot() }

    var centre: PlanePoint { PlanePoint(x: x + width / 2, y: y + height / 2) }

    /// The corners, clockwise from the top left.
    var corners: [PlanePoint] {
        [
            PlanePoint(x: x, y: y), PlanePoint(x: x + width, y: y),
            PlanePoint(x: x + width, y: y + height), PlanePoint(x: x, y: y + height),
        ]
    }
}
