// SPDX-License-Identifier: Apache-2.0

import Glibc

extension FileName {
    /// Returns whether the path matches a glob pattern.
    ///
    /// `*`, `?` and `[...]` match as in `fnmatch(3)` with `FNM_PATHNAME`: case-sensitively, byte by byte, and never a
    /// slash.
    package func matches(glob: String) -> Bool {
        glob.withPath { glob in text.withPath { fnmatch(glob, $0, FNM_PATHNAME) == 0 } }
    }
}
