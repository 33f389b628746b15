// SPDX-License-Identifier: Apache-2.0

import Library

extension PhotoLibrary {
    /// Commits a change synchronously.
    func commit(_ changes: () throws -> Void) throws { try performChanges(changes) }
}
