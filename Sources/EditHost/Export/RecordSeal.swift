// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hashing
import Library

/// A key that proves which lines of an export record the library wrote, for one folder.
///
/// Anyone with write access to the folder can change the record, but only a reader of the library has the
/// secret. See docs/design/decisions/0038-proof-of-exports.md.
struct RecordSeal: Sendable {
    /// The identifier of the library.
    let library: String
    private let key: Data

    /// Returns nil if the library has no secret: it is of an older version and opened for reading only, or read
    /// from an updated copy.
    init?(_ library: PhotoLibrary) throws {
        guard let secret = try library.exportSecret else { return nil }
        self.init(library: try library.identifier, secret: secret)
    }

    init(library: String, secret: Data) {
        self.library = library
        key = secret
    }

    private static let start = Data("{\"mac\":\"".utf8)
    private static let end = Data("\",".utf8)
    private static let digitCount = 64

    /// Returns a JSON object with a message authentication code of it as the first member.
    func sealed(_ object: Data, in folder: String) -> Data {
        let code = SHA256.authenticationCode(for: Self.message(object, folder), key: key)
        let digits = code.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return Self.start + Data(digits.utf8) + Self.end + object.dropFirst()
    }

    /// Whether a line was sealed by ``sealed(_:in:)`` with the same secret and folder.
    func isProven(_ line: Data, in folder: String) -> Bool {
        let bodyStart = Self.start.count + Self.digitCount + Self.end.count
        let line = Data(line)
        guard line.count > bodyStart, line.starts(with: Self.start),
            line[(bodyStart - Self.end.count)..<bodyStart].elementsEqual(Self.end),
            let code = Self.bytes(line[Self.start.count..<Self.start.count + Self.digitCount])
        else { return false }
        let object = Data("{".utf8) + line[bodyStart...]
        return SHA256.authenticationCode(for: Self.message(object, folder), key: key) == code
    }

    /// The name of a folder contains no line feed, so the message is unambiguous.
    private static func message(_ object: Data, _ folder: String) -> Data {
        Data("edithost export record\n\(folder)\n".utf8) + object
    }

    private static func bytes(_ digits: Data) -> [UInt8]? {
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digitCount else { return nil }
        return stride(from: 0, to: digitCount, by: 2).map {
            UInt8(truncatingIfNeeded: values[$0] << 4 | values[$0 + 1])
        }
    }
}
