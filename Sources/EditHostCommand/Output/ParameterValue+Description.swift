// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ParameterValue {
    var json: JSONValue {
        switch self {
        case .number(let number): .number(number)
        case .integer(let integer): .integer(integer)
        case .boolean(let boolean): .boolean(boolean)
        case .string(let string): .string(string)
        case .point(let x, let y): ["x": .number(x), "y": .number(y)]
        case .rectangle(let x, let y, let width, let height):
            [
                "x": .number(x), "y": .number(y), "width": .number(width),
                "height": .number(height),
            ]
        case .points(let points):
            .array(points.map { .array([.number($0.x), .number($0.y)]) })
        }
    }

    /// The value in the syntax of `--set`.
    var text: String {
        switch self {
        case .string(let string): string
        case .point(let x, let y): Self.list([x, y])
        case .rectangle(let x, let y, let width, let height): Self.list([x, y, width, height])
        case .number, .integer, .boolean, .points: json.text
        }
    }

    private static func list(_ numbers: [Double]) -> String {
        numbers.map { JSONValue.number($0).text }.joined(separator: ",")
    }
}
