// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Values for testing an extension.
extension ExtensionParameter {
    /// Valid values that differ from the default, the least extreme ones first. Empty for files, whose content must
    /// suit the extension.
    var alternatives: [ParameterValue] {
        valid(candidates + limits).filter { !$0.isClose(to: self.default) }
    }

    /// Valid values at the limits of the parameter.
    var extremes: [ParameterValue] { valid(limits) }

    /// A few values that the host rejects: out of range, or of another type.
    var invalidValues: [ParameterValue] {
        let values: [ParameterValue] = [
            .number(1e300), .string("Ω\u{1}\"\\"), .points([]), .integer(-1_000_000),
            .point(x: 7, y: -7), .boolean(true), .rectangle(x: 0.5, y: 0.5, width: -3, height: 0),
            .points([UnitPoint(x: 2, y: 2), UnitPoint(x: -1, y: 0.5), UnitPoint(x: 2, y: 1)]),
        ]
        return Array(values.filter { (try? checked($0)) == nil }.prefix(5))
    }

    private func valid(_ values: [ParameterValue]) -> [ParameterValue] {
        values.compactMap { try? checked($0) }
    }

    private var candidates: [ParameterValue] {
        switch type {
        case .number, .angle:
            let (low, start, high) = range
            return [.number((start + high) / 2), .number((start + low) / 2)]
        case .integer:
            let (low, start, high) = range
            return [
                start + 1, start - 1, ((start + high) / 2).rounded(), ((start + low) / 2).rounded(),
            ]
            .compactMap { Int(exactly: $0).map { .integer($0) } }
        case .boolean, .choice, .file: return []
        case .color: return ["#e06020ff", "#2040c0ff"].map { .string($0) }
        case .point: return [.point(x: 0.25, y: 0.75)]
        case .rectangle: return [.rectangle(x: 0.125, y: 0.25, width: 0.5, height: 0.625)]
        case .text: return [.string("Validation"), .string("2")]
        case .points, .curve:
            return (2...8).map { .points(Self.points($0)) }
        }
    }

    private var limits: [ParameterValue] {
        switch type {
        case .number, .angle: return [minimum, maximum].compactMap { $0.map { .number($0) } }
        case .integer:
            return [minimum?.rounded(.up), maximum?.rounded(.down)]
                .compactMap { $0.flatMap { Int(exactly: $0) }.map { .integer($0) } }
        case .boolean: return [.boolean(false), .boolean(true)]
        case .choice: return choiceValues.map { .string($0) }
        case .color: return ["#000000ff", "#ffffffff"].map { .string($0) }
        case .point: return [.point(x: 0, y: 0), .point(x: 1, y: 1)]
        case .rectangle: return [.rectangle(x: 0, y: 0, width: 1, height: 1)]
        case .text: return [.string("")]
        case .points, .curve:
            return [minimumCount, maximumCount].compactMap { $0.map { .points(Self.points($0)) } }
        case .file: return []
        }
    }

    /// The minimum, default and maximum. A missing limit is near the default.
    private var range: (low: Double, start: Double, high: Double) {
        let start: Double =
            switch self.default {
            case .number(let number): number
            case .integer(let integer): Double(integer)
            default: 0
            }
        let distance = max(1, abs(start))
        return (minimum ?? start - distance, start, maximum ?? start + distance)
    }

    /// Returns points along a curve that rises steeply and then slowly.
    private static func points(_ count: Int) -> [UnitPoint] {
        (0..<max(0, count)).map { index in
            let x = count < 2 ? 0.5 : Double(index) / Double(count - 1)
            return UnitPoint(x: x, y: x.squareRoot())
        }
    }
}
