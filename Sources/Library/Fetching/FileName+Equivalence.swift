// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation

extension FileName {
    /// Returns whether the path matches a glob pattern that a user typed.
    ///
    /// The bytes are compared first, and then the composed forms of the path and the pattern: keyboards compose
    /// accented characters, and Macs decompose them in file names.
    package func isEquivalent(toGlob glob: String) -> Bool {
        if matches(glob: glob) { return true }
        guard text.utf8.contains(where: { $0 >= 0x80 }), glob.utf8.contains(where: { $0 >= 0x80 })
        else { return false }
        return FileName(text.precomposedStringWithCanonicalMapping)
            .matches(glob: glob.precomposedStringWithCanonicalMapping)
    }
}
