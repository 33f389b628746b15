// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FoundationEssentials

/// A JSON value whose objects preserve the order of their keys.
enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])

    /// Creates a string, or null.
    init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }

    /// Returns the bytes of a file name in base64 if it is not UTF-8, otherwise null. The text has them as
    /// `\xE9`.
    static func bytes(ofPath path: String) -> JSONValue {
        path.hasEscapedBytes ? .string(Data(path.pathBytes).base64EncodedString()) : .null
    }

    /// Creates an integer, or null.
    init(_ number: Int?) { self = number.map(JSONValue.integer) ?? .null }

    /// Creates a number, or null if JSON cannot represent it.
    init(_ number: Double?) {
        self = number.flatMap { $0.isFinite ? .number($0) : nil } ?? .null
    }

    /// Creates the message of an error, or null.
    init(_ error: (any Error)?) { self.init(error.map(ExitStatus.words)) }

    /// The serialized value on one line.
    var text: String {
        switch self {
        case .null: "null"
        case .boolean(let boolean): boolean ? "true" : "false"
        case .integer(let integer): "\(integer)"
        case .number(let number): Self.text(number)
        case .string(let string): Self.quoted(string)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",")
                + "}"
        }
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
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
            case _ where scalar.escapedByte != nil: result += "\\" + scalar.byteText
            // Escaping preserves the value for JSON parsers, and makes it harmless on a terminal.
            case _ where scalar.isHiddenAtTerminal:
                for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { (key: $0.0, value: $0.1) })
    }

    init(stringLiteral value: String) { self = .string(value) }

    init(booleanLiteral value: Bool) { self = .boolean(value) }

    init(nilLiteral: ()) { self = .null }
}
