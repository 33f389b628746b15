// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A scanner that finds the position of a value or of a syntax error in JSON, which decoders do not report.
struct JSONLocator {
    private struct NotJSON: Error {
        let offset: Int
    }

    /// The nesting limit of Foundation's decoder.
    private static let maximumDepth = 512

    private let bytes: [UInt8]
    private let target: String
    private var index = 0
    private var best: (path: String, offset: Int) = ("", 0)

    /// - Parameter path: The path of the value, in the syntax of ``ErrorSubject/manifestKey(_:)``.
    private init(_ json: Data, path: String) {
        bytes = Array(json)
        target = path
    }

    /// Returns the position of the value at a path, or of the innermost enclosing value that exists; `nil` if
    /// the text is not JSON.
    static func position(of path: String, in json: Data) -> TextPosition? {
        var locator = JSONLocator(json, path: path)
        guard (try? locator.document()) != nil else { return nil }
        return locator.position(at: locator.best.offset)
    }

    /// Returns the position of the first syntax error; `nil` if the text is valid JSON.
    static func syntaxError(in json: Data) -> TextPosition? {
        var locator = JSONLocator(json, path: "")
        do {
            try locator.document()
            return nil
        } catch let error as NotJSON {
            return locator.position(at: error.offset)
        } catch {
            return nil
        }
    }

    private func position(at offset: Int) -> TextPosition {
        let before = bytes[..<min(offset, bytes.count)]
        let newline = UInt8(ascii: "\n")
        let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        return TextPosition(
            line: before.count { $0 == newline } + 1,
            column: String(decoding: before[lineStart...], as: UTF8.self).count + 1)
    }

    // MARK: Reading

    private mutating func document() throws {
        skipSpace()
        try value("", depth: 0)
        skipSpace()
        guard index == bytes.count else { throw NotJSON(offset: index) }
    }

    private mutating func value(_ path: String, depth: Int) throws {
        guard depth <= Self.maximumDepth, index < bytes.count else { throw NotJSON(offset: index) }
        if path.utf8.count > best.path.utf8.count, containsTarget(path) { best = (path, index) }
        switch bytes[index] {
        case UInt8(ascii: "{"): try object(path, depth: depth)
        case UInt8(ascii: "["): try array(path, depth: depth)
        case UInt8(ascii: "\""): _ = try string()
        default: try literal()
        }
    }

    /// Returns `true` if the target is the value at `path` or nested in it.
    private func containsTarget(_ path: String) -> Bool {
        guard target.hasPrefix(path) else { return false }
        let next = target.dropFirst(path.count).first
        return next == nil || next == "." || next == "["
    }

    private mutating func object(_ path: String, depth: Int) throws {
        try elements(until: "}") { locator in
            let key = try locator.string()
            locator.skipSpace()
            try locator.expect(":")
            locator.skipSpace()
            try locator.value(path.isEmpty ? key : "\(path).\(key)", depth: depth + 1)
        }
    }

    private mutating func array(_ path: String, depth: Int) throws {
        var number = 0
        try elements(until: "]") { locator in
            try locator.value("\(path)[\(number)]", depth: depth + 1)
            number += 1
        }
    }

    /// Scans the comma-separated elements of an array or object.
    private mutating func elements(
        until end: Unicode.Scalar, _ element: (inout JSONLocator) throws -> Void
    ) throws {
        index += 1
        skipSpace()
        if next(is: end) { return index += 1 }
        while true {
            try element(&self)
            skipSpace()
            if next(is: end) { return index += 1 }
            try expect(",")
            skipSpace()
        }
    }

    private mutating func string() throws -> String {
        try expect("\"")
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            guard bytes[index] >= 0x20 else { throw NotJSON(offset: index) }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < bytes.count else { throw NotJSON(offset: min(index, bytes.count)) }
        defer { index += 1 }
        // The decoder rejects text that is not UTF-8, unknown escapes and lone surrogates.
        let quoted = Data(bytes[start - 1...index])
        guard let text = try? JSONDecoder().decode(String.self, from: quoted) else {
            throw NotJSON(offset: start)
        }
        return text
    }

    private mutating func literal() throws {
        let start = index
        while index < bytes.count, Self.isLiteral(bytes[index]) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        let number = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/
        guard ["true", "false", "null"].contains(text) || text.wholeMatch(of: number) != nil else {
            throw NotJSON(offset: start)
        }
    }

    private static func isLiteral(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || "+-.E".utf8.contains(byte)
    }

    private func next(is character: Unicode.Scalar) -> Bool {
        index < bytes.count && bytes[index] == UInt8(ascii: character)
    }

    private mutating func expect(_ character: Unicode.Scalar) throws {
        guard next(is: character) else { throw NotJSON(offset: index) }
        index += 1
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }
}
