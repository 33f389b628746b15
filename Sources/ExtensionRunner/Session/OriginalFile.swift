// SPDX-License-Identifier: Apache-2.0

import ImageMetadata
import RunnerProtocol
import RunnerSupport

/// The file of the original, for extensions with access to it.
struct OriginalFile: Sendable {
    /// The memory-mapped bytes of the file.
    let bytes: Bytes
    /// The filename at the time of the import.
    let filename: String

    /// Maps the file that came with a request; `nil` if there is none or it cannot be mapped.
    init?(_ input: RenderInput, _ received: ReceivedRequest) {
        guard let filename = input.originalFilename, let file = received.optional(.original),
            let bytes = file.length.flatMap({ MappedFiles.bytes(of: file, length: $0) })
        else { return nil }
        self.bytes = bytes
        self.filename = filename
    }
}
