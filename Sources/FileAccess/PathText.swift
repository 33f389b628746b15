// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Paths as text. To Linux a name is bytes, and an old archive's need not be UTF-8.
///
/// A byte that is no part of UTF-8 is written as the private character `U+10FE00` plus the byte, as is
/// each byte of a name that has such a character itself: so every name has a text, and every such text
/// is one name's.
extension String {
    private static let firstEscape: UInt32 = 0x10_FE00

    /// The text of a path.
    package init(pathBytes bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self), !text.hasEscapedBytes {
            self = text
            return
        }
        self = ""
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let length = (1...4).first { count in
                count <= rest.count
                    && String(validating: rest.prefix(count), as: UTF8.self)
                        .map { !$0.hasEscapedBytes } ?? false
            }
            if let length {
                self += String(decoding: rest.prefix(length), as: UTF8.self)
                rest = rest.dropFirst(length)
                continue
            }
            let byte = UInt32(rest.removeFirst())
            if let scalar = Unicode.Scalar(Self.firstEscape + byte) {
                unicodeScalars.append(scalar)
            }
        }
    }

    /// The bytes of the path that this is the text of.
    package var pathBytes: [UInt8] {
        guard hasEscapedBytes else { return Array(utf8) }
        return unicodeScalars.flatMap { scalar in
            scalar.escapedByte.map { [$0] } ?? Array(String(scalar).utf8)
        }
    }

    /// Whether the path is not UTF-8.
    package var hasEscapedBytes: Bool {
        // All begin with this byte, which hardly any text has.
        utf8.contains(0xF4) && unicodeScalars.contains { $0.escapedByte != nil }
    }

    /// What stands between its slashes, byte by byte: a slash that carries an accent separates, too.
    package var pathComponents: [String] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The folder that a file of this path lies in, and its name there. Bytes are compared: a slash that
    /// carries an accent, which is one character with it, separates, too.
    package var pathParts: (folder: String, name: String) {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", self) }
        let name = String(self[utf8.index(after: slash)...])
        return (slash == startIndex ? "/" : String(self[..<slash]), name)
    }

    /// Without the slashes at its end; `/` stays.
    package var withoutTrailingSlashes: String {
        var bytes = utf8[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return String(bytes) ?? self
    }

    /// Where the path leads: absolute, without links; nil if nothing is there.
    package var resolvedPath: String? {
        guard let resolved = withPath({ realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return String(
            pathBytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }

    /// Runs `body` with the path as C functions take it.
    package func withPath<Result, Failure: Error>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = pathBytes.map { CChar(bitPattern: $0) } + [0]
        return try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
            // An array of one element and more has an address.
            guard let start = buffer.baseAddress else { return try body("") }
            return try body(start)
        }
    }
}

extension Unicode.Scalar {
    /// The byte that it stands for in the text of a path; nil for a character.
    package var escapedByte: UInt8? {
        (0x10_FE80...0x10_FEFF).contains(value) ? UInt8(truncatingIfNeeded: value) : nil
    }
}
