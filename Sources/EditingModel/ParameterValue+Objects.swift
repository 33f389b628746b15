// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension ParameterValue {
    /// The value as a number or an angle; `nil` for other types.
    package var number: Double? {
        switch self {
        case .number(let number): number
        case .integer(let integer): Double(integer)
        default: nil
        }
    }

    /// The value as an integer; `nil` for other types.
    package var integer: Int? {
        switch self {
        case .number(let number): Int(exactly: number)
        case .integer(let integer): integer
        default: nil
        }
    }

    /// The red, green, blue and alpha components of a colour, 0...1; `nil` for other types.
    package var color: [Double]? {
        guard case .string(let text) = self, text.utf8.first == UInt8(ascii: "#"),
            [7, 9].contains(text.utf8.count)
        else { return nil }
        let digits = text.utf8.dropFirst().map { Character(UnicodeScalar($0)).hexDigitValue }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
            digits[index].flatMap { high in digits[index + 1].map { 16 * high + $0 } }
        }
        guard bytes.count * 2 == digits.count else { return nil }
        return bytes.map { Double($0) / 255 } + (bytes.count == 3 ? [1] : [])
    }

    func isOfType(of other: ParameterValue) -> Bool { typeName == other.typeName }

    var typeName: String {
        switch self {
        case .number, .integer: "a number"
        case .boolean: "true or false"
        case .string: "a string"
        case .point: "a point"
        case .rectangle: "a rectangle"
        case .points: "a list of points"
        }
    }
}
