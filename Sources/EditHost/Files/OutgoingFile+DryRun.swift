// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension OutgoingFile {
    /// A file whose bytes are not known in a dry run.
    static var unknown: Self {
        get throws { Self(try .memory("dry run")) }
    }

    /// Whether its bytes are known.
    var isKnown: Bool {
        get throws { try bytes.byteCount() > 0 }
    }
}
