// SPDX-License-Identifier: Apache-2.0

/// A tone curve through a list of points, the value of a `curve` parameter. Its JSON form is `[[x, y], …]`.
///
/// The curve is the monotone cubic interpolation of Fritsch and Carlson ("Monotone Piecewise Cubic
/// Interpolation", SIAM Journal on Numerical Analysis 17, 1980). It is monotone between neighbouring points and
/// never overshoots them. It is constant before the first point and after the last one.
public struct Curve: Codable, Hashable, Sendable {
    /// The control points: at least two, with coordinates in 0...1 and strictly ascending x.
    public let points: [UnitPoint]
    /// The slope at each control point.
    private let slopes: [Double]

    /// The identity curve, from (0, 0) to (1, 1).
    public static let identity = Curve(
        checked: [UnitPoint(x: 0, y: 0), UnitPoint(x: 1, y: 1)])

    /// Creates a curve through the given points.
    ///
    /// - Throws: `InvalidValueError` with the code `invalidParameter` if there are fewer than 2 or more than
    ///   4096 points, a coordinate is outside 0...1, or x does not ascend. The error names the point.
    public init(points: [UnitPoint]) throws {
        if let problem = UnitPoint.problem(ofCurve: points) {
            throw InvalidValueError.parameter("curve", problem)
        }
        self.init(checked: points)
    }

    private init(checked points: [UnitPoint]) {
        self.points = points
        slopes = Self.slopes(points)
    }

    /// Decodes a list of points.
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        let points = try UnitPoint.list(in: &list)
        if let problem = UnitPoint.problem(ofCurve: points) {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: problem))
        }
        self.init(checked: points)
    }

    /// Encodes the list of points.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try UnitPoint.encode(points, to: &list)
    }

    /// Returns the value of the curve at `x`, both in 0...1.
    public func value(at x: Double) -> Double {
        guard let first = points.first, let last = points.last else { return x }
        guard x > first.x else { return first.y }
        guard x < last.x else { return last.y }
        var (low, high) = (0, points.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if points[middle].x <= x { low = middle } else { high = middle }
        }
        return value(at: x, from: low)
    }

    /// Returns a lookup table of the curve, sampled at `count` equidistant positions from 0 to 1.
    ///
    /// Scaled to the output range, it is a table for libvips's `maplut`.
    ///
    /// - Parameter count: The number of entries. The table is empty if it is less than 2.
    public func table(count: Int) -> [Double] {
        guard count >= 2 else { return [] }
        return (0..<count).map { value(at: $0, of: count) }
    }

    /// Returns one entry of a table of `count` entries; `count` is at least 2.
    package func value(at index: Int, of count: Int) -> Double {
        value(at: Double(index) / Double(count - 1))
    }

    /// Evaluates the cubic between a point and the next one, in Hermite form.
    private func value(at x: Double, from index: Int) -> Double {
        let (start, end) = (points[index], points[index + 1])
        let width = end.x - start.x
        let t = (x - start.x) / width
        let u = 1 - t
        let value =
            start.y * (1 + 2 * t) * u * u + slopes[index] * width * t * u * u
            + end.y * t * t * (3 - 2 * t) - slopes[index + 1] * width * t * t * u
        // Rounding must not move the value outside the range of the two points.
        return min(max(value, min(start.y, end.y)), max(start.y, end.y))
    }

    private static func slopes(_ points: [UnitPoint]) -> [Double] {
        let secants = zip(points, points.dropFirst()).map { ($1.y - $0.y) / ($1.x - $0.x) }
        guard let first = secants.first, let last = secants.last else { return [] }
        var slopes =
            [first]
            + zip(secants, secants.dropFirst()).map { $0 * $1 > 0 ? ($0 + $1) / 2 : 0 } + [last]
        for (index, secant) in secants.enumerated() {
            guard secant != 0 else {
                (slopes[index], slopes[index + 1]) = (0, 0)
                continue
            }
            let (a, b) = (slopes[index] / secant, slopes[index + 1] / secant)
            let square = a * a + b * b
            // The slope between points with almost equal x overflows.
            guard square.isFinite else {
                (slopes[index], slopes[index + 1]) = (0, 0)
                continue
            }
            guard square > 9 else { continue }
            let factor = 3 / square.squareRoot()
            slopes[index] = factor * a * secant
            slopes[index + 1] = factor * b * secant
        }
        return slopes
    }
}
