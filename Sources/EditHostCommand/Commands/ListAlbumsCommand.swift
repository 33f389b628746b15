// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONOutput
import Library

/// The command `edithost album list`.
struct ListAlbumsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List albums and folders in their order, each folder before its contents.",
        examples: """
            edithost album list --tree
            edithost album list --smart
            """)

    @Flag(help: "Indent the contents of folders.")
    var tree = false

    @Flag(help: "List smart albums instead.")
    var smart = false

    @Flag(
        help: """
            List moments instead: photos taken on the same day at the same place, oldest \
            first.
            """)
    var moments = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if [tree, smart, moments].filter({ $0 }).count > 1 {
            throw ValidationError("Use only one of --tree, --smart and --moments.")
        }
    }

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let output = general.output
        let entries = try entries(in: library)
        for entry in entries { try output.printJSON(entry.collection.row(count: entry.count)) }
        if entries.isEmpty {
            try output.printText([moments ? "no moments" : "no albums"])
        } else {
            try output.printText(table(of: entries))
        }
    }

    private struct Entry {
        let collection: PhotoCollection
        let count: Int?
        var depth = 0

        init(_ collection: PhotoCollection, count: Int? = nil, depth: Int = 0) {
            self.collection = collection
            self.count = count ?? collection.assetCount
            self.depth = depth
        }
    }

    private func entries(in library: PhotoLibrary) throws -> [Entry] {
        if smart || moments {
            let found = try AssetCollection.fetchAssetCollections(
                with: smart ? .smartAlbum : .moment, in: library)
            return try found.map { collection in
                guard smart else { return Entry(.assetCollection(collection)) }
                let assets = try Asset.fetchAssets(in: collection, library: library)
                try assets.load()
                return Entry(.assetCollection(collection), count: assets.count)
            }
        }
        var entries: [Entry] = []
        // The entries to list, in reverse order. An explicit stack avoids recursion, since folders can be
        // nested arbitrarily deep.
        var waiting = try inside(CollectionList.fetchTopLevelUserCollections(in: library), depth: 0)
        while let entry = waiting.popLast() {
            entries.append(entry)
            guard case .collectionList(let folder) = entry.collection else { continue }
            waiting += try inside(
                CollectionList.fetchCollections(in: folder, library: library),
                depth: entry.depth + 1)
        }
        return entries
    }

    /// Returns the contents of a folder in reverse order.
    private func inside(
        _ collections: FetchResult<PhotoCollection>, depth: Int
    ) throws -> [Entry] {
        var entries: [Entry] = []
        try collections.enumerateObjects { collection, _ in
            entries.append(Entry(collection, depth: depth))
        }
        return entries.reversed()
    }

    /// The maximum indentation level.
    private static let maximumDepth = 50

    private func table(of entries: [Entry]) -> [String] {
        if tree {
            return entries.map { entry in
                String(repeating: "    ", count: min(entry.depth, Self.maximumDepth))
                    + entry.collection.treeText
            }
        }
        var table = TextTable(["id", "kind", "photos", "title"], rightColumns: [2])
        let all = entries.map(\.collection)
        let isUser = !smart && !moments
        let identifiers =
            isUser ? ShortIdentifier.all(of: all.map(\.id)) : all.map(\.listedIdentifier)
        for (entry, identifier) in zip(entries, identifiers) {
            table.add([
                identifier, entry.collection.kindName, entry.count.map(String.init) ?? "-",
                entry.collection.title,
            ])
        }
        return table.lines
    }
}
