// SPDX-License-Identifier: Apache-2.0

/// A word in shell syntax.
enum ShellWord {
    /// Returns the word without shell quotes and backslashes. Nothing is expanded.
    static func unquoted(_ word: String) -> String {
        var result = ""
        var quote: Unicode.Scalar?
        var rest = word.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "'" where quote == nil, "\"" where quote == nil: quote = scalar
            case _ where scalar == quote: quote = nil
            case "\\" where quote == nil:
                if let escaped = rest.popFirst() { result.unicodeScalars.append(escaped) }
            case "\\" where quote == "\"":
                let isEscape = rest.first.map { "\"\\$`".unicodeScalars.contains($0) } ?? false
                result.unicodeScalars.append(isEscape ? rest.removeFirst() : scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns a word that a shell reads as `word`.
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            let scalar = Unicode.Scalar(byte)
            return scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "/._-,:=@+".unicodeScalars.contains(scalar))
        }
        if isPlain, !word.isEmpty { return word }
        return "'"
            + word.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }
}
