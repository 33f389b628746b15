// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Parameter values in a JSON object, as read and changed by extensions in C.
///
/// The text is untrusted, like any recipe.
package struct ParameterObject {
    /// The maximum size of the text in bytes: 1 MiB.
    package static let maximumSize = 1 << 20

    private var values: [String: Possible]

    /// A parameter value, or any other JSON value.
    private struct Possible: Decodable {
        let value: ParameterValue?

        init(_ value: ParameterValue) { self.value = value }
        init(from decoder: any Decoder) throws { value = try? ParameterValue(from: decoder) }
    }

    /// Creates an object from JSON. Members that cannot be parameter values are treated as absent.
    ///
    /// - Returns: `nil` if the text is not a JSON object or is larger than 1 MiB.
    package init?(json: Data) {
        guard json.count <= Self.maximumSize,
            let values = try? JSONDecoder().decode([String: Possible].self, from: json)
        else { return nil }
        self.values = values
    }

    /// Returns the value of a name; `nil` if it is missing or not a parameter value.
    package func value(_ name: String) -> ParameterValue? { values[name]?.value }

    /// Replaces the values of names that both objects have. Other names are ignored.
    ///
    /// - Throws: `InvalidValueError` with the code `invalidParameter` if a value has another type. The object
    ///   is then unchanged.
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

    /// Returns the object as JSON. The output is deterministic: names are in alphabetical order.
    package func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(values.compactMapValues(\.value))
    }
}
