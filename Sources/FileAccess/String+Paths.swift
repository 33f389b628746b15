// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Paths as text. A Linux file name is a byte sequence, and names from old archives need not be UTF-8.
///
/// A byte that is invalid in UTF-8 is escaped as the private character `U+10FE00` plus the byte. If a name
/// contains such a character itself, each of its bytes is escaped. The mapping is therefore reversible: every
/// name has a text, and every such text denotes one name.
extension String {
    private static let firstEscape: UInt32 = 0x10_FE00

    /// Creates the text of a path from its bytes.
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

    /// The bytes of the path with this text.
    package var pathBytes: [UInt8] {
        guard hasEscapedBytes else { return Array(utf8) }
        return unicodeScalars.flatMap { scalar in
            scalar.escapedByte.map { [$0] } ?? Array(String(scalar).utf8)
        }
    }

    /// `true` if the path is not UTF-8.
    package var hasEscapedBytes: Bool {
        // The UTF-8 form of every escape starts with this byte, which is rare in other text.
        utf8.contains(0xF4) && unicodeScalars.contains { $0.escapedByte != nil }
    }

    /// The components between slashes, split by bytes: a slash followed by a combining accent also separates.
    package var pathComponents: [String] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The folder and the file name of the path.
    ///
    /// The path is split by bytes: a slash followed by a combining accent, which is one `Character`, also
    /// separates.
    package var pathParts: (folder: String, name: String) {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", self) }
        let name = String(self[utf8.index(after: slash)...])
        return (slash == startIndex ? "/" : String(self[..<slash]), name)
    }

    /// The path without trailing slashes; `/` is unchanged.
    package var withoutTrailingSlashes: String {
        var bytes = utf8[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return String(bytes) ?? self
    }

    /// The absolute path without links; `nil` if nothing exists there.
    package var resolvedPath: String? {
        guard let resolved = withPath({ realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return String(
            pathBytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }

    /// Calls `body` with the path as a C string.
    package func withPath<Result, Failure: Error>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = pathBytes.map { CChar(bitPattern: $0) } + [0]
        return try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
            // The array is never empty, so it has an address.
            guard let start = buffer.baseAddress else { return try body("") }
            return try body(start)
        }
    }
}

extension Unicode.Scalar {
    /// The byte that the scalar escapes; `nil` for any other scalar.
    package var escapedByte: UInt8? {
        (0x10_FE80...0x10_FEFF).contains(value) ? UInt8(truncatingIfNeeded: value) : nil
    }
}
