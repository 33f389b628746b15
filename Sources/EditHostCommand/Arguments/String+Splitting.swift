// SPDX-License-Identifier: Apache-2.0

/// Argument syntax by bytes. A sign with a combining accent is a different `Character`, so characters are
/// unsuitable.
extension String {
    /// Splits the string at the first occurrence of an ASCII sign; returns `nil` if there is none.
    func split(atFirst sign: Unicode.Scalar) -> (head: String, tail: String)? {
        guard let place = unicodeScalars.firstIndex(of: sign) else { return nil }
        let tail = unicodeScalars[unicodeScalars.index(after: place)...]
        return (String(unicodeScalars[..<place]), String(tail))
    }

    /// Returns whether the string starts with the bytes of a prefix.
    func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
}
