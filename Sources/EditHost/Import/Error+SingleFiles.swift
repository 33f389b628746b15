// SPDX-License-Identifier: Apache-2.0

import Library
import RunnerHost

extension Error {
    /// Whether the error concerns one imported file, not the host or the library as a whole.
    var concernsImportedFile: Bool {
        switch self {
        case let error as HostError:
            [.badInput, .blockedFormat, .noSuchFile, .fileFailed, .runnerFailed]
                .contains(error.code)
        // The library may reject values decoded from the file.
        case let error as LibraryError:
            [.cannotRead, .sizeMismatch, .invalidRequest].contains(error.code)
        default: false
        }
    }

    /// Whether the error concerns the file of one original.
    var concernsOriginal: Bool {
        guard let error = self as? LibraryError else { return false }
        return [
            .originalMissing, .originalDamaged, .referencedFileChanged, .blobMissing,
            .invalidLayout, .conflict, .noSuchAsset,
        ].contains(error.code)
    }
}
