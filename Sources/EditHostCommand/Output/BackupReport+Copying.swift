// SPDX-License-Identifier: Apache-2.0

import Library

extension BackupReport {
    /// Ends the command with status 1 if a file could not be copied.
    func end() throws {
        if !failures.isEmpty || unreadableSnapshot != nil { throw CommandEnd(status: .someFailed) }
    }
}
