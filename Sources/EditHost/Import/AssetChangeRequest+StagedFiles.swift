// SPDX-License-Identifier: Apache-2.0

import Library

extension AssetChangeRequest {
    /// Adds a staged companion.
    func add(_ file: Importer.StagedFile) throws {
        if let reference = file.reference {
            try addResource(
                file.type, reference: reference, filename: file.filename, facts: file.facts)
        } else {
            try addResource(
                file.type, blob: file.staged, filename: file.filename, facts: file.facts)
        }
    }
}
