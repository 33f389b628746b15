// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A parser of asset names, one per line, in the output format of `list`.
///
/// A name is the first word of a line, or the member `id` of a JSON object. Headers, empty lines and objects
/// without `id`, such as totals and progress, are ignored. Lines end with LF or CRLF.
struct NameList {
    static let maximumLineLength = 1 << 20
    static let maximumLength = 1 << 30
    static let maximumCount = 1_000_000

    private var names: [String] = []
    private var line: [UInt8] = []
    private var length = 0

    /// Parses the next bytes.
    ///
    /// - Throws: `CommandEnd`.
    mutating func read(_ bytes: ArraySlice<UInt8>) throws {
        length += bytes.count
        guard length <= Self.maximumLength else {
            throw Self.tooLong("\(Self.maximumLength >> 30) GiB")
        }
        var rest = bytes
        while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            line += rest[..<end]
            try endLine()
            rest = rest[(end + 1)...]
        }
        line += rest
        try requireShortLine()
    }

    /// Returns all names at the end of the input.
    ///
    /// - Throws: `CommandEnd`.
    mutating func finished() throws -> [String] {
        try endLine()
        return names
    }

    private mutating func endLine() throws {
        try requireShortLine()
        defer { line.removeAll(keepingCapacity: true) }
        guard let name = Self.name(in: line) else { return }
        guard names.count < Self.maximumCount else {
            throw Self.tooLong("\(Self.maximumCount) names")
        }
        names.append(name)
    }

    private func requireShortLine() throws {
        guard line.count <= Self.maximumLineLength else {
            throw Self.tooLong("\(Self.maximumLineLength >> 20) MiB in one line")
        }
    }

    private static func tooLong(_ limit: String) -> CommandEnd {
        CommandEnd(
            status: .badData,
            message: "standard input has more than \(limit), so it is not a list of "
                + "photos; nothing was done")
    }

    private static func name(in line: [UInt8]) -> String? {
        let text = String(decoding: line, as: UTF8.self).unicodeScalars
        // A byte order mark counts as white space.
        let isBlank: (Unicode.Scalar) -> Bool = {
            $0.properties.isWhitespace || $0 == "\u{FEFF}"
        }
        guard let first = text.firstIndex(where: { !isBlank($0) }) else { return nil }
        let content = text[first...]
        if content.first == "{" {
            struct Named: Decodable { let id: String? }
            // A malformed line is kept as a name, which is later reported as unknown.
            guard
                let named = try? JSONDecoder().decode(
                    Named.self, from: Data(String(content).utf8))
            else { return String(content) }
            return named.id
        }
        let word = String(content.prefix { !isBlank($0) })
        return word == "ID" ? nil : word
    }
}
