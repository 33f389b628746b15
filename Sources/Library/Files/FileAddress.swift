// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// Conversion between absolute paths and `file:` URLs, byte for byte.
enum FileAddress {
    private static let scheme = "file://"
    /// The host that a URL of a local file may name.
    private static let host = Array("localhost".utf8)

    /// Returns the URL of an absolute path.
    static func url(ofPath path: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return path.pathBytes.reduce(into: scheme) { url, byte in
            if isPlain(byte) {
                url.append(Character(UnicodeScalar(byte)))
            } else {
                url += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    /// Returns the path of a URL, or nil if it has another scheme or is malformed.
    static func path(ofURL url: String) -> String? {
        guard url.hasPrefix(scheme) else { return nil }
        var bytes = Array(url.utf8.dropFirst(scheme.utf8.count))
        if bytes.starts(with: host) { bytes.removeFirst(host.count) }
        var path: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "%") {
                guard place + 2 < bytes.count, let high = digit(bytes[place + 1]),
                    let low = digit(bytes[place + 2])
                else { return nil }
                path.append(high << 4 | low)
                place += 3
            } else {
                path.append(bytes[place])
                place += 1
            }
        }
        guard path.first == UInt8(ascii: "/"), !path.contains(0) else { return nil }
        return String(pathBytes: path)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }

    /// Whether a byte needs no escape: RFC 3986's unreserved characters, and the slash.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
