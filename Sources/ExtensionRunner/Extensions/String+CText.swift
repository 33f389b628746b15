// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import Glibc

extension String {
    /// Copies a C string of an extension, truncated to a limit. Invalid UTF-8 is replaced. `nil` for a null pointer.
    init?(bounded text: UnsafePointer<CChar>?, limit: Int) {
        guard let text else { return nil }
        let bytes = UnsafeRawBufferPointer(start: text, count: strnlen(text, limit))
        self = String(decoding: bytes, as: UTF8.self)
    }

    /// Copies the error message of a call.
    init(_ error: ee_error) {
        self = withUnsafeBytes(of: error.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

extension UnsafeMutablePointer<ee_error> {
    /// Stores an error message for the extension, truncated if necessary.
    func fill(_ message: String) {
        withUnsafeMutableBytes(of: &pointee.message) { room in
            let text = message.utf8.prefix(room.count - 1)
            room.copyBytes(from: text)
            room[text.count] = 0
        }
    }
}
