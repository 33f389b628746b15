// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import FileAccess

/// Encodes values as JSON on one line that is harmless on a terminal.
///
/// Unlike with `JSONEncoder`, members keep the order in which they are encoded, and `nil` is `null`. Dictionaries
/// are sorted by key.
package final class JSONText: Encoder, UnkeyedEncodingContainer, SingleValueEncodingContainer {
    private enum Kind { case scalar, array, object }

    private var kind = Kind.scalar
    private var scalar = "null"
    private var children: [(key: String, value: JSONText)] = []
    package let codingPath: [any CodingKey] = []
    package let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Returns the text of a value.
    ///
    /// - Throws: The errors of the value's `encode(to:)`.
    package static func of(_ value: some Encodable) throws -> String {
        let text = JSONText()
        try text.set(value)
        return text.text
    }

    private var text: String {
        switch kind {
        case .scalar: scalar
        case .array: "[" + children.map(\.value.text).joined(separator: ",") + "]"
        case .object:
            "{" + children.map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",")
                + "}"
        }
    }

    private func set(_ value: some Encodable) throws {
        switch value {
        case let string as String: scalar = Self.quoted(string)
        case let boolean as Bool: scalar = boolean ? "true" : "false"
        // These are listed for speed; casts to protocols are slow.
        case let integer as Int: scalar = "\(integer)"
        case let number as Double: scalar = Self.text(number)
        case let row as JSONRow: try row.encode(to: self)
        case let integer as any BinaryInteger: scalar = "\(integer)"
        case let number as any BinaryFloatingPoint: scalar = Self.text(Double(number))
        case let dictionary as any StringKeyed: try dictionary.sorted.encode(to: self)
        default: try value.encode(to: self)
        }
    }

    private func add(_ key: String = "") -> JSONText {
        let child = JSONText()
        children.append((key, child))
        return child
    }

    package func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        kind = .object
        return KeyedEncodingContainer(Members(text: self))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        kind = .array
        return self
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer { self }

    // MARK: - Elements and single values

    package var count: Int { children.count }

    package func encodeNil() { if kind == .array { _ = add() } }

    package func encode(_ value: some Encodable) throws {
        try (kind == .array ? add() : self).set(value)
    }

    package func nestedContainer<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        add().container(keyedBy: type)
    }

    package func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        add().unkeyedContainer()
    }

    package func superEncoder() -> any Encoder { add() }

    // MARK: - Members

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let text: JSONText
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { _ = text.add(key.stringValue) }

        func encode(_ value: some Encodable, forKey key: Key) throws {
            try text.add(key.stringValue).set(value)
        }

        // The default implementations omit missing values.
        func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
            try encode(value, forKey: key)
        }
        func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
            try encode(value, forKey: key)
        }
        func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
            try encode(value, forKey: key)
        }
        func encodeIfPresent(_ value: String?, forKey key: Key) throws {
            try encode(value, forKey: key)
        }
        func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
            try encode(value, forKey: key)
        }

        func nestedContainer<Other>(
            keyedBy type: Other.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Other> {
            text.add(key.stringValue).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            text.add(key.stringValue).unkeyedContainer()
        }

        func superEncoder() -> any Encoder { text.add("super") }

        func superEncoder(forKey key: Key) -> any Encoder { text.add(key.stringValue) }
    }

    // MARK: - Scalars

    /// Returns the text of a number; `null` if JSON cannot represent it.
    package static func text(_ number: Double) -> String {
        number.isFinite ? number.shortText : "null"
    }

    private static func quoted(_ string: String) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: append(scalar, to: &result)
            }
        }
        return result + "\""
    }

    /// Returns JSON of another encoder with the characters of its strings escaped that a terminal interprets.
    package static func escaping(_ json: String) -> String {
        var result = ""
        for scalar in json.unicodeScalars {
            if scalar == "\n" { result += "\n" } else { append(scalar, to: &result) }
        }
        return result
    }

    /// Appends a character of a string. Escaping preserves the value for JSON parsers, and makes it harmless on a
    /// terminal.
    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        if scalar.escapedByte != nil {
            text += "\\" + scalar.byteText
        } else if scalar.isHiddenAtTerminal {
            for unit in scalar.utf16 {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        } else {
            text.unicodeScalars.append(scalar)
        }
    }
}

private protocol StringKeyed {
    var sorted: JSONRow { get }
}

extension Dictionary: StringKeyed where Key == String, Value: Encodable {
    fileprivate var sorted: JSONRow {
        JSONRow(self.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
}
