// SPDX-License-Identifier: Apache-2.0

/// A convex polygon in the plane.
struct ConvexPolygon {
    /// The corners, in order around the polygon.
    let corners: [PlanePoint]

    init(_ corners: [PlanePoint]) { self.corners = corners }

    /// Returns the part in which a linear function is not negative.
    func clipped(_ function: (PlanePoint) -> Double) -> ConvexPolygon {
        var result: [PlanePoint] = []
        for (index, corner) in corners.enumerated() {
            let next = corners[(index + 1) % corners.count]
            let (value, nextValue) = (function(corner), function(next))
            if value >= 0 { result.append(corner) }
            if (value >= 0) != (nextValue >= 0) {
                let share = value / (value - nextValue)
                result.append(
                    PlanePoint(
                        x: corner.x + share * (next.x - corner.x),
                        y: corner.y + share * (next.y - corner.y)))
            }
        }
        return ConvexPolygon(result)
    }

    /// The largest upright rectangle inside the polygon.
    ///
    /// As a function of the left and right sides, the area is the product of two concave functions. It therefore has a
    /// single maximum, which both searches find.
    var largestRectangle: UprightRectangle {
        let x = corners.map(\.x)
        guard let left = x.min(), let right = x.max(), left < right else {
            return UprightRectangle()
        }
        func best(from side: Double) -> UprightRectangle {
            let end = Self.maximum(in: side, right) { rectangle(side, $0).area }
            return rectangle(side, end)
        }
        return best(from: Self.maximum(in: left, right) { best(from: $0).area })
    }

    /// Returns the tallest rectangle between two vertical sides. Its height is negative if there is none.
    private func rectangle(_ left: Double, _ right: Double) -> UprightRectangle {
        let (first, last) = (span(atX: left), span(atX: right))
        let top = max(first.top, last.top)
        return UprightRectangle(
            x: left, y: top, width: right - left, height: min(first.bottom, last.bottom) - top)
    }

    /// Returns the vertical extent of the polygon at a position.
    private func span(atX x: Double) -> (top: Double, bottom: Double) {
        var (top, bottom) = (Double.infinity, -Double.infinity)
        for (index, corner) in corners.enumerated() {
            let next = corners[(index + 1) % corners.count]
            guard min(corner.x, next.x) <= x, x <= max(corner.x, next.x) else { continue }
            let isUpright = corner.x == next.x
            let share = isUpright ? 0 : (x - corner.x) / (next.x - corner.x)
            let y = corner.y + share * (next.y - corner.y)
            top = min(top, y, isUpright ? next.y : y)
            bottom = max(bottom, y, isUpright ? next.y : y)
        }
        return (top, bottom)
    }

    /// Returns the position of the maximum of a function that first rises and then falls.
    private static func maximum(
        in start: Double, _ end: Double, of function: (Double) -> Double
    ) -> Double {
        var (start, end) = (start, end)
        // The remaining interval is a millionth of a millionth of the original one.
        for _ in 0..<68 {
            let third = (end - start) / 3
            if function(start + third) < function(end - third) {
                start += third
            } else {
                end -= third
            }
        }
        return (start + end) / 2
    }
}
