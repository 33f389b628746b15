// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension LibraryError {
    /// The error for a prefix that several asset identifiers have.
    static func ambiguousAsset(_ prefix: String) -> LibraryError {
        LibraryError(
            .ambiguousIdentifier,
            "several photos have this prefix; give more of the identifier",
            asset: prefix)
    }

    /// The error for a name that matches several versions of an asset.
    package static func ambiguousVersion(
        _ name: String, _ names: [String], _ identifier: String
    ) -> LibraryError {
        LibraryError(
            .ambiguousIdentifier,
            "\"\(name)\" is ambiguous; use one of "
                + "\(names.map { "\"\($0)\"" }.joined(separator: ", "))",
            asset: identifier)
    }

    /// The error for an asset in the trash, which only restoring and removing accept.
    static func assetInTrash(_ identifier: String) -> LibraryError {
        LibraryError(
            .noSuchAsset,
            "the photo is in the trash; restore it with edithost trash restore \(identifier)",
            asset: identifier)
    }

    /// The error for an unknown asset identifier.
    static func noSuchAsset(_ identifier: String) -> LibraryError {
        LibraryError(
            .noSuchAsset, "there is no such asset in the library", asset: identifier)
    }
}
