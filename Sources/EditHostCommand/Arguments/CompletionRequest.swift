// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Glibc
import Library
import RunnerHost

/// A request of a shell to complete a word.
///
/// Completion offers words or nothing. A missing or unreadable library yields no words and no message. Nothing
/// is created, and no extension is loaded.
struct CompletionRequest {
    /// The words of the command line.
    let line: [String]
    /// The word to complete as typed, including its quotes.
    let typed: String
    /// The word to complete without its quotes.
    let prefix: String

    init(line: [String], typed: String) {
        (self.line, self.typed) = (line, typed)
        prefix = ShellWord.unquoted(typed)
    }

    /// The maximum number of words that are offered.
    static let limit = 100
    /// The time limit in seconds: `EDITHOST_COMPLETION_SECONDS`, otherwise 2.
    private static var timeLimit: UInt32 {
        ProcessInfo.processInfo.environment["EDITHOST_COMPLETION_SECONDS"].flatMap { UInt32($0) }
            ?? 2
    }

    /// Returns the words with the typed prefix in their original order, up to the limit.
    func offer(_ words: (CompletionRequest) throws -> [String]) -> [String] {
        signal(SIGALRM) { _ in _exit(0) }
        alarm(Self.timeLimit)
        defer { OpenLibraries.close() }
        // A title can contain any characters, and the shell writes it to the terminal.
        let offered = ((try? words(self)) ?? []).filter {
            hasTypedPrefix($0) && !$0.begins(with: "-") && $0 == $0.printable
        }
        return Array(Set(offered).sorted().prefix(Self.limit))
    }

    /// Returns whether a word has the typed prefix. Shells pass the prefix with or without its quotes.
    private func hasTypedPrefix(_ word: String) -> Bool {
        word.hasPrefix(prefix) || word.begins(with: prefix) || word.begins(with: typed)
    }

    /// Returns the value of an option on the command line.
    private func value(of option: String) -> String? {
        if let joined = line.last(where: { $0.begins(with: "\(option)=") }),
            let value = joined.split(atFirst: "=")?.tail
        {
            return Self.expanded(value)
        }
        guard let index = line.lastIndex(of: option) else { return nil }
        // bash treats `=` between option and value as a word.
        return line[(index + 1)...].first { $0 != "=" }.map(Self.expanded)
    }

    /// Returns a word without quotes, since shells pass the words as typed.
    private static func expanded(_ word: String) -> String {
        let plain = ShellWord.unquoted(word)
        return plain.begins(with: "~/") ? (plain as NSString).expandingTildeInPath : plain
    }

    // MARK: - The library

    private func library() throws -> PhotoLibrary {
        let arguments = value(of: "--library").map { ["--library", $0] } ?? []
        return try LibraryOptions.parse(arguments).open(for: .reading)
    }

    /// Returns matching asset identifiers; for an empty prefix the most recently added ones.
    func assets() throws -> [String] {
        let library = try library()
        let identifiers: [String]
        if prefix.isEmpty {
            var options = FetchOptions()
            options.fetchLimit = Self.limit
            options.sortDescriptors = [AssetSortDescriptor(.addedDate, isAscending: false)]
            identifiers = try Asset.fetchAssets(in: library, options: options).localIdentifiers()
        } else {
            identifiers = try library.assets(withIdentifierPrefix: prefix, limit: Self.limit)
                .map(\.localIdentifier)
        }
        return shortest(identifiers)
    }

    /// Returns matching identifiers of assets in the trash, those deleted last if there are too many.
    func trashedAssets() throws -> [String] {
        let trashed = try library().trashedAssets().localIdentifiers()
        return shortest(Array(trashed.lazy.filter(hasTypedPrefix).prefix(Self.limit)))
    }

    private func shortest(_ identifiers: [String]) -> [String] {
        let short = ShortIdentifier.all(of: identifiers)
        return short.contains(where: hasTypedPrefix) ? short : identifiers
    }

    func albums() throws -> [String] {
        try AssetCollection.smartAlbumNames
            + titles(AssetCollection.fetchAssetCollections(with: .album, in: library()), \.title)
    }

    func folders() throws -> [String] {
        try titles(CollectionList.fetchCollectionLists(in: library()), \.title)
    }

    private func titles<Collection>(
        _ found: FetchResult<Collection>, _ title: (Collection) -> String
    ) throws -> [String] {
        Array(found.lazy.map(title).filter(hasTypedPrefix).prefix(Self.limit))
    }

    func editors() throws -> [String] { named(try library().editingExtensionIdentifiers()) }

    // MARK: - Extensions

    private var catalogue: ExtensionCatalogue {
        ExtensionCatalogue(searching: GeneralOptions.standardConfiguration.extensionFolders)
    }

    func extensions() -> [String] { named(catalogue.available.map(\.identifier)) }

    /// Returns the last component of each identifier if it is unique and matches the prefix, otherwise the
    /// identifier.
    private func named(_ identifiers: [String]) -> [String] {
        let short = Dictionary(grouping: identifiers, by: ExtensionName.shortest)
        let unique = short.filter { $0.value.count == 1 }.map(\.key)
        return unique.contains(where: hasTypedPrefix) ? unique : identifiers
    }

    /// Returns `NAME=VALUE` for each value of a choice, and for the default value of other parameters.
    func parameters() throws -> [String] {
        guard let name = value(of: "--with") else { return [] }
        let parameters = try catalogue.installed(named: name).manifest?.parameters ?? []
        return parameters.flatMap { parameter in
            parameter.offeredValues.map { "\(parameter.name)=\($0)" }
        }
    }

    func presets() throws -> [String] {
        guard let name = value(of: "--with") else { return [] }
        return try catalogue.installed(named: name).manifest?.presets.map(\.name) ?? []
    }
}

extension ExtensionParameter {
    /// The values that are offered for the parameter.
    fileprivate var offeredValues: [String] {
        if type == .choice { return choiceValues }
        return type == .boolean ? ["false", "true"] : [self.default?.text ?? ""]
    }
}
