// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ParameterValue {
    /// Whether another value is equal, apart from the rounding of numbers to single precision or to six digits.
    func isClose(to other: ParameterValue?) -> Bool {
        guard let other else { return false }
        guard let mine = numbers, let theirs = other.numbers else { return self == other }
        return mine.count == theirs.count
            && zip(mine, theirs).allSatisfy { abs($0 - $1) <= 1e-5 * max(1, abs($0), abs($1)) }
    }

    /// The numbers of the value; nil for other types.
    private var numbers: [Double]? {
        switch self {
        case .number(let number): [number]
        case .integer(let integer): [Double(integer)]
        case .point(let x, let y): [x, y]
        case .rectangle(let x, let y, let width, let height): [x, y, width, height]
        case .points(let points): points.flatMap { [$0.x, $0.y] }
        case .boolean, .string: nil
        }
    }
}
