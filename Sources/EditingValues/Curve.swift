// SPDX-License-Identifier: Apache-2.0

/// A curve through points, as editors of tones have it: the value of a `curve` parameter. As JSON it
/// is the list of its points, `[[x, y], …]`.
///
/// Between the points it is the monotone cubic of Fritsch and Carlson ("Monotone Piecewise Cubic
/// Interpolation", SIAM Journal on Numerical Analysis 17, 1980): it rises or falls where the points do, and
/// never goes beyond them. Before the first point and after the last one it is level.
public struct Curve: Codable, Hashable, Sendable {
    /// The points: at least two, in units from 0 to 1, x ascending.
    public let points: [UnitPoint]
    /// The slope at each point.
    private let slopes: [Double]

    /// The curve that changes nothing.
    public static let identity = Curve(
        checked: [UnitPoint(x: 0, y: 0), UnitPoint(x: 1, y: 1)])

    /// Makes a curve.
    ///
    /// - Throws: `InvalidValueError` naming the point where there are fewer than two or more than 4096, where
    ///   one is beyond 0...1, or where x does not ascend.
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

    /// Decodes the list of its points.
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

    /// Encodes the list of its points.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try UnitPoint.encode(points, to: &list)
    }

    /// What becomes of a value, 0...1.
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

    /// The values at `count` places that are as far apart as each other, from 0 to 1: a table for
    /// `maplut`, once multiplied.
    ///
    /// - Parameter count: at least 2; fewer give an empty table.
    public func table(count: Int) -> [Double] {
        guard count >= 2 else { return [] }
        return (0..<count).map { value(at: $0, of: count) }
    }

    /// An entry of a table of `count`, which is at least 2.
    package func value(at index: Int, of count: Int) -> Double {
        value(at: Double(index) / Double(count - 1))
    }

    /// The cubic between a point and the next one (Hermite's form).
    private func value(at x: Double, from index: Int) -> Double {
        let (start, end) = (points[index], points[index + 1])
        let width = end.x - start.x
        let t = (x - start.x) / width
        let u = 1 - t
        let value =
            start.y * (1 + 2 * t) * u * u + slopes[index] * width * t * u * u
            + end.y * t * t * (3 - 2 * t) - slopes[index + 1] * width * t * t * u
        // Rounding shall not leave the range of the points either.
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
            // Points that are all but above each other have a slope that no number holds.
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
