// SPDX-License-Identifier: Apache-2.0

/// The JSON form of point lists, `[[x, y], …]`.
extension UnitPoint {
    /// The maximum number of points in a list.
    package static let maximumCount = 4096

    /// Decodes a list of points.
    ///
    /// - Throws: `DecodingError` if an element is not a pair of numbers, or there are too many points.
    static func list(in container: inout any UnkeyedDecodingContainer) throws -> [UnitPoint] {
        var points: [UnitPoint] = []
        while !container.isAtEnd {
            guard points.count < maximumCount else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "has more than \(maximumCount) points")
            }
            var pair = try container.nestedUnkeyedContainer()
            let point = UnitPoint(
                x: try pair.decode(Double.self), y: try pair.decode(Double.self))
            guard pair.isAtEnd else {
                throw DecodingError.dataCorruptedError(
                    in: pair, debugDescription: "must be two numbers, [x, y]")
            }
            points.append(point)
        }
        return points
    }

    /// Encodes the form that ``list(in:)`` decodes.
    static func encode(
        _ points: [UnitPoint], to container: inout any UnkeyedEncodingContainer
    ) throws {
        for point in points {
            var pair = container.nestedUnkeyedContainer()
            try pair.encode(point.x)
            try pair.encode(point.y)
        }
    }

    /// Returns the first problem of the points of a curve, or `nil` if they are valid.
    package static func problem(ofCurve points: [UnitPoint]) -> String? {
        if let problem = problem(ofList: points) { return problem }
        guard points.count >= 2 else { return "must have at least two points" }
        for (index, (point, next)) in zip(points, points.dropFirst()).enumerated()
        where point.x >= next.x {
            return "must have points with x ascending: point \(index + 2) is at "
                + "\(next.x.shortText), and the one before it at \(point.x.shortText)"
        }
        return nil
    }

    /// Returns the first problem of a point list, or `nil` if it is valid.
    package static func problem(ofList points: [UnitPoint]) -> String? {
        guard points.count <= maximumCount else {
            return "has \(points.count) points, and \(maximumCount) at most are read"
        }
        let unit = 0.0...1.0
        guard
            let index = points.firstIndex(where: { !unit.contains($0.x) || !unit.contains($0.y) })
        else { return nil }
        return "must have points from 0 to 1: point \(index + 1) is "
            + "[\(points[index].x.shortText),\(points[index].y.shortText)]"
    }
}
