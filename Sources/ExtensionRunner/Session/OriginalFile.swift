// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import RunnerSupport

/// The original's own file, for extensions that may read it.
struct OriginalFile: Sendable {
    /// Its bytes.
    let bytes: Bytes
    /// What it was called when it was imported.
    let filename: String

    /// What came with a request; nil: nothing.
    init?(_ input: RenderInput, _ incoming: Incoming) {
        guard let filename = input.originalFilename, let file = incoming.optional(.original),
            let bytes = file.length.flatMap({ MappedFiles.bytes(of: file, length: $0) })
        else { return nil }
        self.bytes = bytes
        self.filename = filename
    }
}
