// SPDX-License-Identifier: Apache-2.0

/// The syntax of arguments, by bytes: a sign and an accent after it are one `Character`, which is not the sign.
extension String {
    /// What is before and after the first of such a sign, which is ASCII; nil if there is none.
    func split(atFirst sign: Unicode.Scalar) -> (head: String, tail: String)? {
        guard let place = unicodeScalars.firstIndex(of: sign) else { return nil }
        let tail = unicodeScalars[unicodeScalars.index(after: place)...]
        return (String(unicodeScalars[..<place]), String(tail))
    }

    /// Whether the bytes of a prefix are its first.
    func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
}
