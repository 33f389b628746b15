// SPDX-License-Identifier: Apache-2.0

extension ParameterValue {
    /// The value in command-line syntax.
    package var text: String {
        switch self {
        case .number(let number): number.shortText
        case .integer(let integer): "\(integer)"
        case .boolean(let boolean): "\(boolean)"
        case .string(let string): string
        case .point(let x, let y): Self.list([x, y])
        case .rectangle(let x, let y, let width, let height): Self.list([x, y, width, height])
        case .points(let points):
            "[" + points.map { "[\(Self.list([$0.x, $0.y]))]" }.joined(separator: ",") + "]"
        }
    }

    private static func list(_ numbers: [Double]) -> String {
        numbers.map(\.shortText).joined(separator: ",")
    }
}
