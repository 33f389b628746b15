// SPDX-License-Identifier: Apache-2.0

import FileAccess
import ImageMetadata

/// The name in a library that its author most likely meant as the entry symbol.
struct SimilarSymbol {
    private static let part = Array("extension_entry".utf8)
    /// The longest name that is shown, in bytes.
    private static let maximumLength = 200

    /// The name.
    let name: String

    /// Searches all strings of a library, because a hidden symbol is only in tables that the loader does not read.
    init?(in library: OpenFile) {
        guard let bytes = library.length.flatMap({ Bytes(mapping: library, length: $0) }),
            let offset = Self.offset(in: bytes)
        else { return nil }
        let first = bytes.memory[..<offset].lastIndex { !Self.isInName($0) }.map { $0 + 1 } ?? 0
        let end = bytes.memory[offset...].firstIndex { !Self.isInName($0) } ?? bytes.count
        guard end - first <= Self.maximumLength else { return nil }
        name = String(decoding: bytes.memory[first..<end], as: UTF8.self)
    }

    /// Returns the offset of the first occurrence of ``part``.
    private static func offset(in bytes: Bytes) -> Int? {
        var offset = bytes.next(part[0], from: 0)
        while let candidate = offset, bytes.slice(candidate, part.count) != part {
            offset = bytes.next(part[0], from: candidate + 1)
        }
        return offset
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: false
        }
    }

    /// The end of the sentence that a symbol is missing.
    ///
    /// - Parameter symbol: The name of the symbol.
    func hint(for symbol: String) -> String {
        if name == symbol { return ", because it is hidden; declare the function EE_EXPORT" }
        if name.hasPrefix("_Z") {
            return
                ", but the C++ function \(name); declare it extern \"C\", for example by including "
                + "editing_extension.h"
        }
        if name.hasPrefix("$s") { return ", but \(name); mark the function @c(\(symbol))" }
        return ", but \(name); rename the function"
    }
}
