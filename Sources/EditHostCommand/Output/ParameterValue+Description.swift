// SPDX-License-Identifier: Apache-2.0

import EditingModel
import JSONOutput

extension ParameterValue {
    /// The value in the syntax of `--set`.
    var text: String {
        switch self {
        case .string(let string): string
        case .point(let x, let y): Self.list([x, y])
        case .rectangle(let x, let y, let width, let height): Self.list([x, y, width, height])
        case .number(let number): JSONText.text(number)
        case .integer(let integer): "\(integer)"
        case .boolean(let boolean): "\(boolean)"
        case .points(let points):
            "[" + points.map { "[\(Self.list([$0.x, $0.y]))]" }.joined(separator: ",") + "]"
        }
    }

    private static func list(_ numbers: [Double]) -> String {
        numbers.map(JSONText.text).joined(separator: ",")
    }
}
