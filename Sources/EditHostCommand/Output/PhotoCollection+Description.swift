// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

extension PhotoCollection {
    /// The kind of collection as text.
    var kindName: String {
        switch self {
        case .assetCollection(let collection): collection.type.name
        case .collectionList: "folder"
        }
    }

    /// The number of photographs including hidden ones; `nil` if unknown.
    var assetCount: Int? {
        if case .assetCollection(let collection) = self {
            collection.estimatedAssetCount
        } else {
            nil
        }
    }

    /// The JSON members that `album list` prints.
    var jsonMembers: [(key: String, value: JSONValue)] {
        var cover: String?
        var dates: (start: Date?, end: Date?)
        if case .assetCollection(let collection) = self {
            cover = collection.keyAssetLocalIdentifier
            dates = (collection.startDate, collection.endDate)
        }
        return [
            ("id", .string(localIdentifier)),
            ("kind", .string(kindName)),
            ("title", .string(title)),
            ("folder", JSONValue(parentLocalIdentifier)),
            ("count", JSONValue(assetCount)),
            ("cover", JSONValue(cover)),
            ("startDate", JSONValue(dates.start?.universalText)),
            ("endDate", JSONValue(dates.end?.universalText)),
        ]
    }

    /// The name in a tree listing.
    var treeText: String {
        let count = assetCount.map { "  (\($0))" } ?? "/"
        return title + count
    }

    /// The name of a smart album, or the identifier of another collection.
    var listedIdentifier: String {
        guard case .assetCollection(let collection) = self else { return localIdentifier }
        return collection.smartAlbumName ?? localIdentifier
    }
}

extension PhotoLibrary {
    /// Commits a change synchronously.
    func commit(_ changes: () throws -> Void) throws { try performChanges(changes) }
}

extension GeneralOptions {
    /// Prints the current state of an album or folder.
    ///
    /// - Parameter verb: The change as a participle; `nil` if the contents were changed.
    func printCollection(
        _ identifier: String, in library: PhotoLibrary, _ verb: String? = nil
    ) throws {
        let collection = try library.collection(withLocalIdentifier: identifier)
        let facts = [verb, collection.assetCount?.counted("photograph")].compactMap(\.self)
        try output.print(
            .object(collection.jsonMembers),
            "\(collection.title) (\(ShortIdentifier.of(identifier))): "
                + facts.joined(separator: ", "))
    }
}

extension AssetSelection {
    /// Returns the assets without duplicates.
    ///
    /// - Throws: `LibraryError` with the code `noSuchAsset` or `ambiguousIdentifier`.
    func references(in library: PhotoLibrary) throws -> [any AssetReference] {
        try identifiers(in: library).map(NamedAsset.init)
    }

    private struct NamedAsset: AssetReference {
        let localIdentifier: String
    }
}
