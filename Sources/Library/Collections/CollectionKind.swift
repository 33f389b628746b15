// SPDX-License-Identifier: Apache-2.0

/// What a row of the table of collections is.
enum CollectionKind: String, Sendable {
    case album
    case folder
}

extension LibraryError {
    /// There is no album or folder of this identifier.
    static func noSuchCollection(_ kind: CollectionKind, _ identifier: String) -> LibraryError {
        LibraryError(
            .noSuchCollection, "there is no \(kind.rawValue) \(identifier) in the library")
    }
}
