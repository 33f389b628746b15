// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Parameters of the types point list and curve.
extension ExtensionParameter {
    /// Parses `[[x,y],…]`.
    static func points(_ text: String) -> ParameterValue? {
        guard text.utf8.count <= ParameterObject.maximumSize,
            case .points(let points) = try? JSONDecoder().decode(
                ParameterValue.self, from: Data(text.utf8))
        else { return nil }
        return .points(points)
    }

    /// The allowed number of points.
    private var counts: (least: Int, most: Int) {
        (
            max(minimumCount ?? 0, type == .curve ? 2 : 0),
            min(maximumCount ?? .max, UnitPoint.maximumCount)
        )
    }

    func checkPoints(_ points: [UnitPoint]) throws {
        let (least, most) = counts
        guard points.count >= least, points.count <= most else {
            let actual = points.count == 1 ? "has 1 point" : "has \(points.count) points"
            throw InvalidValueError.parameter(name, "\(actual); it must be \(expectation)")
        }
        let problem =
            type == .curve
            ? UnitPoint.problem(ofCurve: points) : UnitPoint.problem(ofList: points)
        if let problem { throw InvalidValueError.parameter(name, problem) }
    }

    /// The allowed number of points as text, for ``expectation``.
    var countText: String {
        switch (minimumCount, maximumCount) {
        case (let least?, let most?): least == most ? "\(least) " : "\(least) to \(most) "
        case (let least?, nil): "at least \(least) "
        case (nil, let most?): "at most \(most) "
        case (nil, nil): ""
        }
    }

    /// Validates that `minimumCount` and `maximumCount` of the manifest are consistent.
    func checkCounts(key: String) throws {
        guard minimumCount != nil || maximumCount != nil else { return }
        let allowed = 0...UnitPoint.maximumCount
        for (name, count) in [("minimumCount", minimumCount), ("maximumCount", maximumCount)] {
            guard let count, !allowed.contains(count) else { continue }
            throw InvalidValueError.manifest(
                "\(key).\(name)", "must be 0 to \(UnitPoint.maximumCount)")
        }
        guard counts.least <= counts.most else {
            throw InvalidValueError.manifest(
                minimumCount == nil ? "\(key).maximumCount" : "\(key).minimumCount",
                minimumCount == nil
                    ? "is less than 2, the minimum for a curve"
                    : "is larger than maximumCount")
        }
    }
}
