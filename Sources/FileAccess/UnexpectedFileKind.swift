// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file of an unexpected kind.
package struct UnexpectedFileKind: Hashable, Sendable {
    package let path: String
    package let kind: FileKind
    package let expected: FileKind
}
