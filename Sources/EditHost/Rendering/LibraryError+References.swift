// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension LibraryError {
    /// Whether an original outside the library is unavailable.
    var isAboutReference: Bool { code == .originalMissing || code == .referencedFileChanged }
    /// Whether an original is unavailable, stored or referenced, and not merely damaged.
    var isAboutMissingOriginal: Bool { isAboutReference || code == .blobMissing }
}
