// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Library

/// The filters that select photographs.
struct FilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "In this album, in its order: a title, an identifier or the name of a smart album, "
                + "such as favorites.",
            valueName: "album"),
        completion: .album)
    var album: String?

    @Option(help: ArgumentHelp("Of this media type.", valueName: "type"))
    var mediaType: MediaType?

    @Option(
        help: ArgumentHelp("Of this subtype; may be repeated.", valueName: "subtype"),
        completion: .list(MediaSubtype.allValueStrings))
    var subtype: [MediaSubtype] = []

    @Flag(help: "Favourites.")
    var favorite = false

    @Flag(help: "Include hidden photos.")
    var hidden = false

    @Flag(help: "Edited photos.")
    var edited = false

    @Option(
        help: ArgumentHelp(
            "Edited with this extension, installed or not.",
            valueName: "extension"),
        completion: .editor)
    var editedBy: String?

    @Option(
        help: ArgumentHelp(
            "Last edited with a recipe of this format.", valueName: "format"))
    var formatIdentifier: String?

    @Option(
        help: ArgumentHelp(
            "In this burst; includes all of its photos.", valueName: "identifier"))
    var burst: String?

    @Option(
        help: ArgumentHelp(
            "Taken at this time or later, such as 2024-05-31.",
            discussion: """
                2024, 2024-05, 2024-05-31 or 2024-05-31T18:30:00, compared with the camera's \
                clock; with Z or an offset such as +02:00, compared in absolute time.
                """,
            valueName: "date"))
    var since: MomentArgument?

    @Option(
        help: ArgumentHelp(
            "Taken at this time or earlier, such as 2024; a day, month or year is inclusive.",
            valueName: "date"))
    var until: MomentArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Taken within this distance in kilometres of a position in degrees.",
            valueName: "lat,lon,km"))
    var near: NearArgument?

    @Flag(
        help: """
            Imported with --reference, and the file is missing or its size has changed.
            """)
    var missing = false

    @Option(
        help: ArgumentHelp(
            "With this text in the file name, title, description, label or a keyword.",
            valueName: "text"))
    var text: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Rated with these stars: 4, 4.. for four or more, ..2, 2..4, rejected or none.",
            valueName: "stars"))
    var rating: RatingFilter?

    @Option(help: ArgumentHelp("With this label.", valueName: "text"))
    var label: String?

    /// `true` if no filter is given. Including hidden photographs is not a filter.
    var isEmpty: Bool {
        album == nil && mediaType == nil && subtype.isEmpty && !favorite && !edited
            && editedBy == nil
            && formatIdentifier == nil && burst == nil && since == nil && until == nil
            && near == nil && !missing && text == nil && rating == nil && label == nil
    }

    /// Returns the fetch options for the filters.
    ///
    /// - Throws: `LibraryError`.
    func fetchOptions(in library: PhotoLibrary) throws -> FetchOptions {
        var options = FetchOptions()
        options.includeHiddenAssets = hidden
        options.includeAllBurstAssets = burst != nil
        options.predicate = .and(
            plainConditions + (try editorConditions(in: library))
                + (try labelConditions(in: library))
                + (try placeConditions(in: library)))
        return options
    }

    /// Fetches the assets that match the filters, within an album if one is given.
    ///
    /// - Throws: `LibraryError`.
    func fetch(in library: PhotoLibrary, _ options: FetchOptions) throws -> FetchResult<Asset> {
        guard let album else { return try Asset.fetchAssets(in: library, options: options) }
        let collection = try library.assetCollection(named: album)
        return try Asset.fetchAssets(in: collection, library: library, options: options)
    }

    private var plainConditions: [AssetPredicate] {
        var conditions: [AssetPredicate] = subtype.map { .mediaSubtypes($0) }
        if let mediaType { conditions.append(.mediaType([mediaType])) }
        if favorite { conditions.append(.isFavorite) }
        if edited { conditions.append(.hasAdjustments) }
        if let formatIdentifier {
            conditions.append(.text(.adjustmentFormatIdentifier, .equal(formatIdentifier)))
        }
        if let burst { conditions.append(.text(.burstIdentifier, .equal(burst))) }
        if let since { conditions.append(.date(since.key, .atLeast(since.start))) }
        if let until { conditions.append(.date(until.key, until.orEarlier)) }
        if let near { conditions.append(.near(near.location, metres: near.metres)) }
        if let text { conditions.append(.anyText(contains: text)) }
        if let rating { conditions.append(.rating(rating.test)) }
        return conditions
    }

    /// The conditions that require access to the file system.
    private func placeConditions(in library: PhotoLibrary) throws -> [AssetPredicate] {
        missing ? [.text(.localIdentifier, .oneOf(try library.identifiersOfAssetsAway()))] : []
    }

    /// The conditions for labels, which match regardless of case and character composition.
    private func labelConditions(in library: PhotoLibrary) throws -> [AssetPredicate] {
        try label.map { [.text(.label, .oneOf(try library.labels(sameAs: $0)))] } ?? []
    }

    /// The conditions for extensions, which match by identifier or its last component, ignoring case.
    private func editorConditions(in library: PhotoLibrary) throws -> [AssetPredicate] {
        guard let name = editedBy.map(ExtensionName.init) else { return [] }
        let editors = try library.editingExtensionIdentifiers().filter(name.matches)
        return [.or(editors.map { .editedBy($0) })]
    }
}
