// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The values of parameters in a JSON object, as plug-ins in C read and change them. The text may
/// come from anywhere: recipes do.
package struct ParameterObject {
    /// The largest text that is read, in bytes.
    package static let maximumSize = 1 << 20

    private var values: [String: Possible]

    /// A value, or something else that an object may have.
    private struct Possible: Decodable {
        let value: ParameterValue?

        init(_ value: ParameterValue) { self.value = value }
        init(from decoder: any Decoder) throws { value = try? ParameterValue(from: decoder) }
    }

    /// Reads an object; what cannot be a parameter's value in it is as if it were not there.
    ///
    /// - Returns: nil, where the text is not a JSON object, or larger than 1 MiB.
    package init?(json: Data) {
        guard json.count <= Self.maximumSize,
            let values = try? JSONDecoder().decode([String: Possible].self, from: json)
        else { return nil }
        self.values = values
    }

    /// The value of a name; nil: it is not there, or no parameter's.
    package func value(_ name: String) -> ParameterValue? { values[name]?.value }

    /// Takes over the values that have a name of this object. Others are passed over.
    ///
    /// - Throws: `InvalidValueError` naming a value that is not of the same type; nothing is
    ///   changed then.
    package mutating func merge(_ other: ParameterObject) throws {
        var merged = values
        for name in values.keys.sorted() {
            guard let own = value(name), let new = other.values[name] else { continue }
            guard let value = new.value, value.isOfType(of: own) else {
                throw InvalidValueError.parameter(name, "must be \(own.typeName)")
            }
            merged[name] = Possible(value)
        }
        values = merged
    }

    /// The object as text: the same for the same values, names in alphabetical order.
    package func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(values.compactMapValues(\.value))
    }
}

extension ParameterValue {
    /// A number or an angle.
    package var number: Double? {
        switch self {
        case .number(let number): number
        case .integer(let integer): Double(integer)
        default: nil
        }
    }

    /// A whole number.
    package var integer: Int? {
        switch self {
        case .number(let number): Int(exactly: number)
        case .integer(let integer): integer
        default: nil
        }
    }

    /// A colour's red, green, blue and alpha, 0 to 1.
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

    fileprivate func isOfType(of other: ParameterValue) -> Bool { typeName == other.typeName }

    fileprivate var typeName: String {
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
