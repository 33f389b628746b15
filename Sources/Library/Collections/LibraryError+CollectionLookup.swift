// SPDX-License-Identifier: Apache-2.0

extension LibraryError {
    /// The error for an unknown album or folder.
    static func noSuchCollection(_ kind: CollectionKind, _ identifier: String) -> LibraryError {
        LibraryError(
            .noSuchCollection, "there is no \(kind.rawValue) \(identifier) in the library")
    }
}
