// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file of an edit's parameter, staged for the commit.
package struct StagedEditFile: Sendable {
    /// The parameter, filename, hash and size of the file.
    package let description: EditFile
    /// The staged bytes; nil if the library already stores them for another edit.
    package let blob: StagedBlob?

    /// Creates a staged file from its properties.
    package init(_ description: EditFile, blob: StagedBlob? = nil) {
        self.description = description
        self.blob = blob
    }
}
