// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

extension PhotoCollection {
    /// What it is.
    var kindName: String {
        switch self {
        case .assetCollection(let collection): collection.type.name
        case .collectionList: "folder"
        }
    }

    /// How many photographs are in it, hidden ones too; nil where that is not known.
    var assetCount: Int? {
        if case .assetCollection(let collection) = self {
            collection.estimatedAssetCount
        } else {
            nil
        }
    }

    /// What `album list` tells.
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

    /// Its name in a tree.
    var treeText: String {
        let count = assetCount.map { "  (\($0))" } ?? "/"
        return title + count
    }

    /// A smart album by its name, others by their identifiers.
    var listedIdentifier: String {
        guard case .assetCollection(let collection) = self else { return localIdentifier }
        return collection.smartAlbumName ?? localIdentifier
    }
}

extension PhotoLibrary {
    /// Commits a change before it returns.
    func commit(_ changes: () throws -> Void) throws { try performChanges(changes) }
}

extension GeneralOptions {
    /// Prints an album or folder as it is now.
    ///
    /// - Parameter verb: what was done with it, as a participle; nil: its contents were changed.
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
    /// The assets, each once.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset` or `ambiguousIdentifier`.
    func references(in library: PhotoLibrary) throws -> [any AssetReference] {
        try identifiers(in: library).map(NamedAsset.init)
    }

    private struct NamedAsset: AssetReference {
        let localIdentifier: String
    }
}
