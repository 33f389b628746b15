// SPDX-License-Identifier: Apache-2.0

import Library
import RunnerHost

extension ExtensionBinary {
    /// The build, as recorded in an edit.
    var identity: EditingExtensionIdentity {
        EditingExtensionIdentity(
            identifier: manifest.identifier, version: manifest.version, binaryHash: libraryHash,
            hashedFilesHash: filesHash)
    }
}
