// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Foundation
import Library

/// The filters of commands without options of the same names.
typealias FilterOptions = AssetFilterOptions<PlainFilterNames>

/// The filters that select photos.
struct AssetFilterOptions<Names: FilterNames>: AssetFiltering {
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
        name: Names.name("burst"),
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
        name: Names.name("rating"), parsing: .unconditional,
        help: ArgumentHelp(
            "Rated with these stars: 4, 4.. for four or more, ..2, 2..4, rejected or none.",
            valueName: "stars"))
    var rating: RatingFilter?

    @Option(
        name: Names.name("label"),
        help: ArgumentHelp("With this label.", valueName: "text"))
    var label: String?

    @Option(
        name: Names.name("keyword"),
        help: ArgumentHelp(
            "With this keyword, or one below it in a hierarchy; may be repeated.",
            discussion: """
                Travel finds photos with this keyword and with those below it, at any level. \
                Travel/Italy finds the branch of this name.
                """,
            valueName: "text"))
    var keyword: [String] = []

    @Option(
        help: ArgumentHelp(
            "Taken with a camera whose make and model contain these words.", valueName: "text"))
    var camera: String?

    @Option(
        help: ArgumentHelp("Taken with a lens whose model contains this text.", valueName: "text"))
    var lens: String?

    @Option(
        name: Names.name("format"),
        help: ArgumentHelp(
            "With an original of this format, or a RAW file of this format beside it; raw includes "
                + "dng.", valueName: "format"))
    var format: FormatFilter?

    @Option(
        help: ArgumentHelp(
            "Imported from a folder that matches this glob pattern, or from a folder below it.",
            discussion: """
                The pattern is compared with the names of folders, and with paths relative to the \
                imported folder; if it begins with a slash, only with paths. * and ? do not match a \
                slash.
                """,
            valueName: "pattern"))
    var folder: String?

    @Option(
        help: ArgumentHelp("With this SHA-256 of the original.", valueName: "sha256"))
    var originalHash: SHA256Digest?

    @Flag(name: Names.name("no-location"), help: "Without a location.")
    var noLocation = false

    @Flag(help: "Without a capture date.")
    var noDate = false

    @Flag(help: "Photos without edits.")
    var unedited = false

    @Flag(help: "Photos with a stale picture, which rerender would render again.")
    var stale = false

    @Flag(help: "In no album.")
    var noAlbum = false

    var isEmpty: Bool {
        album == nil && mediaType == nil && subtype.isEmpty && !favorite && !edited
            && editedBy == nil
            && formatIdentifier == nil && burst == nil && since == nil && until == nil
            && near == nil && !missing && text == nil && rating == nil && label == nil
            && keyword.isEmpty && camera == nil && lens == nil && format == nil
            && folder == nil && originalHash == nil && !noLocation && !noDate && !unedited
            && !noAlbum && !stale
    }

    /// Rejects empty values, which scripts give if a variable is not set. They would select every photo.
    func validate() throws {
        let values = [
            ("album", album), ("edited-by", editedBy), ("format-identifier", formatIdentifier),
            ("burst", burst), ("text", text), ("label", label), ("camera", camera), ("lens", lens),
            ("folder", folder),
        ]
        let keywords = keyword.map { ("keyword", String?.some($0)) }
        if let folder, folder.hasPrefix("./") || folder.contains("//") {
            throw ValidationError(
                "The pattern \"\(folder)\" of --folder matches nothing: patterns are compared with the names "
                    + "of folders, and with paths relative to the imported folder.")
        }
        for (name, value) in values + keywords where value?.allSatisfy(\.isWhitespace) == true {
            throw ValidationError(
                "The value of --\(Names.taken.contains(name) ? "with-" : "")\(name) is empty.")
        }
    }

    func fetchOptions(
        in library: PhotoLibrary, _ general: GeneralOptions
    ) async throws -> FetchOptions {
        var options = FetchOptions()
        options.includeHiddenAssets = hidden
        options.includeAllBurstAssets = burst != nil
        options.predicate = .and(
            plainConditions + originalConditions + (try editorConditions(in: library))
                + (try labelConditions(in: library)) + (try cameraConditions(in: library))
                + (try keywordConditions(in: library)) + (try placeConditions(in: library))
                + (try await staleConditions(in: library, general)))
        return options
    }

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

    /// The conditions on the original and on what a photo lacks.
    private var originalConditions: [AssetPredicate] {
        var conditions: [AssetPredicate] = []
        if let lens { conditions.append(.text(.lensModel, .contains(lens))) }
        if let format { conditions.append(.originalFormat(format.formats)) }
        if let folder { conditions.append(.folder(folder)) }
        if let originalHash { conditions.append(.originalHash(originalHash)) }
        if noLocation { conditions.append(.not(.hasLocation)) }
        if noDate { conditions.append(.date(.clock, .missing)) }
        if unedited { conditions.append(.not(.hasAdjustments)) }
        if noAlbum { conditions.append(.not(.isInAlbum)) }
        return conditions
    }

    /// The conditions for keywords, which match regardless of character composition.
    private func keywordConditions(in library: PhotoLibrary) throws -> [AssetPredicate] {
        try keyword.map { .keyword(.oneOf(try library.keywords(inBranch: $0))) }
    }

    /// The conditions that require access to the file system.
    private func placeConditions(in library: PhotoLibrary) throws -> [AssetPredicate] {
        missing ? [.text(.localIdentifier, .oneOf(try library.identifiersOfAssetsAway()))] : []
    }

    /// The conditions that compare stored pictures with the installed extensions.
    private func staleConditions(
        in library: PhotoLibrary, _ general: GeneralOptions
    ) async throws -> [AssetPredicate] {
        guard stale else { return [] }
        let found = try await general.withHost(interruption: Interruption()) { host in
            try await host.staleAssets(in: library)
        }
        return [.text(.localIdentifier, .oneOf(found))]
    }

    /// The conditions for labels, which match regardless of case and character composition.
    private func labelConditions(in library: PhotoLibrary) throws -> [AssetPredicate] {
        try label.map { [.text(.label, .oneOf(try library.labels(sameAs: $0)))] } ?? []
    }

    /// The conditions for cameras whose make and model contain all words, ignoring case.
    private func cameraConditions(in library: PhotoLibrary) throws -> [AssetPredicate] {
        guard let words = camera?.lowercasedWords else { return [] }
        let cameras = try library.cameras().filter { make, model in
            words.isSubset(of: "\(make ?? "") \(model ?? "")".lowercasedWords)
        }
        return [
            .or(
                cameras.map { make, model in
                    .and([
                        .text(.cameraMake, make.map { .equal($0) } ?? .missing),
                        .text(.cameraModel, model.map { .equal($0) } ?? .missing),
                    ])
                })
        ]
    }

    /// Whether the photos in the trash are selected, which only `list` prints.
    func selectsTrash(in library: PhotoLibrary) throws -> Bool {
        guard let album else { return false }
        return try library.assetCollection(named: album).subtype == .smartAlbumRecentlyDeleted
    }

    /// The conditions for extensions, which match by identifier or its last component, ignoring case.
    private func editorConditions(in library: PhotoLibrary) throws -> [AssetPredicate] {
        guard let name = editedBy.map(ExtensionName.init) else { return [] }
        let editors = try library.editingExtensionIdentifiers().filter(name.matches)
        return [.or(editors.map { .editedBy($0) })]
    }
}

extension String {
    /// The words in lower case.
    fileprivate var lowercasedWords: Set<String> {
        Set(lowercased().split(whereSeparator: \.isWhitespace).map(String.init))
    }
}
