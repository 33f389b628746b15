// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Glibc
import Library

/// A shell asks what a word could become that is being typed.
///
/// Somebody who presses the tabulator expects words or nothing: where there is no library, or it
/// cannot be read, nothing is offered and nothing said. Nothing is made, and no extension loaded.
struct CompletionRequest {
    /// The words of the command line.
    let line: [String]
    /// What has been typed of the word, with its quotes.
    let typed: String
    /// What the shell would pass on of it.
    let prefix: String

    init(line: [String], typed: String) {
        (self.line, self.typed) = (line, typed)
        prefix = ShellWord.unquoted(typed)
    }

    /// How many words are offered at most.
    static let limit = 100
    /// How many seconds a shell is kept waiting at most: `EDITHOST_COMPLETION_SECONDS`, otherwise 2.
    private static var timeLimit: UInt32 {
        ProcessInfo.processInfo.environment["EDITHOST_COMPLETION_SECONDS"].flatMap { UInt32($0) }
            ?? 2
    }

    /// The words that begin as what was typed, in order, up to the limit.
    func offer(_ words: (CompletionRequest) throws -> [String]) -> [String] {
        signal(SIGALRM) { _ in _exit(0) }
        alarm(Self.timeLimit)
        defer { OpenLibraries.close() }
        // A title may have anything in it, and the shell writes it to the terminal.
        let offered = ((try? words(self)) ?? []).filter {
            isMeant($0) && !$0.begins(with: "-") && $0 == $0.printable
        }
        return Array(Set(offered).sorted().prefix(Self.limit))
    }

    /// Whether a word begins as what was typed. Shells may pass words as they are typed, or without quotes.
    private func isMeant(_ word: String) -> Bool {
        word.hasPrefix(prefix) || word.begins(with: prefix) || word.begins(with: typed)
    }

    /// The value of an option on the command line.
    private func value(of option: String) -> String? {
        if let joined = line.last(where: { $0.begins(with: "\(option)=") }),
            let value = joined.split(atFirst: "=")?.tail
        {
            return Self.expanded(value)
        }
        guard let index = line.lastIndex(of: option) else { return nil }
        // bash makes a word of the sign between option and value.
        return line[(index + 1)...].first { $0 != "=" }.map(Self.expanded)
    }

    /// A word as the shell would pass it on: words come as they were typed.
    private static func expanded(_ word: String) -> String {
        let plain = ShellWord.unquoted(word)
        return plain.begins(with: "~/") ? (plain as NSString).expandingTildeInPath : plain
    }

    // MARK: - The library

    private func library() throws -> PhotoLibrary {
        let arguments = value(of: "--library").map { ["--library", $0] } ?? []
        return try LibraryOptions.parse(arguments).open(for: .reading)
    }

    /// Without a beginning, those that were added last.
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
        let short = ShortIdentifier.all(of: identifiers)
        return short.contains(where: isMeant) ? short : identifiers
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
        Array(found.lazy.map(title).filter(isMeant).prefix(Self.limit))
    }

    func editors() throws -> [String] { named(try library().editingExtensionIdentifiers()) }

    // MARK: - Extensions

    private var catalogue: ExtensionCatalogue {
        ExtensionCatalogue(searching: GeneralOptions.standardConfiguration.extensionFolders)
    }

    func extensions() -> [String] { named(catalogue.available.map(\.identifier)) }

    /// The last parts of identifiers where they are unique and are what is being typed, else whole.
    private func named(_ identifiers: [String]) -> [String] {
        let short = Dictionary(grouping: identifiers, by: ExtensionName.shortest)
        let unique = short.filter { $0.value.count == 1 }.map(\.key)
        return unique.contains(where: isMeant) ? unique : identifiers
    }

    /// `NAME=VALUE` with each value of a choice, and the default of anything else.
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
    /// The values that are worth offering.
    fileprivate var offeredValues: [String] {
        if type == .choice { return choiceValues }
        return type == .boolean ? ["false", "true"] : [self.default?.text ?? ""]
    }
}
