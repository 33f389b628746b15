// SPDX-License-Identifier: Apache-2.0

extension ParameterValue {
    /// The value in command-line syntax.
    package var text: String {
        switch self {
        case .number(let number): "\(number)"
        case .integer(let integer): "\(integer)"
        case .boolean(let boolean): "\(boolean)"
        case .string(let string): string
        case .point(let x, let y): "\(x),\(y)"
        case .rectangle(let x, let y, let width, let height): "\(x),\(y),\(width),\(height)"
        case .points(let points):
            "[" + points.map { "[\($0.x),\($0.y)]" }.joined(separator: ",") + "]"
        }
    }
}
