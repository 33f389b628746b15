// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The assets of a command that works on several, on those that a filter finds, or on all.
struct AssetOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Identifiers of photographs, or unique prefixes of them; - reads them from "
                + "standard input, the first word of each line.", valueName: "id"),
        completion: .asset)
    var ids: [String] = []

    @Flag(help: "All photographs in the library, hidden ones included.")
    var all = false

    @OptionGroup(title: "Filters") var filters: FilterOptions

    @OptionGroup(title: "Order") var order: OrderOptions

    func validate() throws {
        if all, !ids.isEmpty { throw ValidationError("Give identifiers or --all, not both.") }
        if !filters.isEmpty, !ids.isEmpty {
            throw ValidationError("Give identifiers or filters, not both.")
        }
        if !order.isEmpty, !ids.isEmpty {
            throw ValidationError(
                "--sort and --limit need a filter or --all; photographs given by identifier "
                    + "keep the order given.")
        }
        if !all, ids.isEmpty, filters.isEmpty {
            throw ValidationError("Give at least one identifier or filter, or --all.")
        }
    }

    /// Whether the assets were named, and not found by what they are.
    var areNamed: Bool { !ids.isEmpty }

    /// The identifiers of the assets, each once. A filter leaves hidden ones out unless it says
    /// otherwise, as `list` does; all are all.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset` or `ambiguousIdentifier`.
    func identifiers(in library: PhotoLibrary) throws -> [String] {
        guard ids.isEmpty else {
            return try library.identifiers(named: StandardInput.filling(ids))
        }
        var options = try filters.fetchOptions(in: library)
        order.ask(&options)
        if all { Self.includeAll(&options) }
        return try filters.fetch(in: library, options).localIdentifiers()
    }

    /// What fetches all assets of a library, where these are asked for: without a filter, in no order of the user's and without a
    /// limit.
    var optionsForAll: FetchOptions? {
        guard all, filters.isEmpty, order.isEmpty else { return nil }
        var options = FetchOptions()
        Self.includeAll(&options)
        return options
    }

    private static func includeAll(_ options: inout FetchOptions) {
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        options.includeAssetSourceTypes = [.userLibrary, .cloudShared, .syncedFromDevice]
    }
}

extension PhotoLibrary {
    /// The one asset that a user named by its identifier or a unique prefix of it.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset` or `ambiguousIdentifier`.
    func asset(named name: String) throws -> Asset {
        guard name != "-" else {
            throw LibraryError(
                .noSuchAsset,
                "\"-\" (standard input) is not accepted here; give the identifier of a photograph")
        }
        return try asset(withIdentifierPrefix: name)
    }

    /// The identifiers of the assets that a user named, each once, in the order named.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset` or `ambiguousIdentifier`.
    func identifiers(named names: [String]) throws -> [String] {
        var seen: Set<String> = []
        return try names.map { try asset(withIdentifierPrefix: $0).localIdentifier }
            .filter { seen.insert($0).inserted }
    }
}

extension AssetOptions {
    /// The same, where some may be wrong and the others are worked on all the same.
    ///
    /// - Parameter failed: told of a name that is none.
    func identifiers(
        in library: PhotoLibrary, failed: (String, any Error) throws -> Void
    ) throws -> [String] {
        guard areNamed else { return try identifiers(in: library) }
        var seen: Set<String> = []
        var identifiers: [String] = []
        for name in try StandardInput.filling(ids) {
            do {
                let identifier = try library.asset(withIdentifierPrefix: name).localIdentifier
                if seen.insert(identifier).inserted { identifiers.append(identifier) }
            } catch {
                try failed(name, error)
            }
        }
        return identifiers
    }
}

/// What photographs are in their bursts.
struct BurstOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Assign to this burst, new or existing; none removes from the burst.",
            valueName: "identifier"))
    var burst: String?

    @Flag(
        inversion: .prefixedNo,
        help: "List it in addition to the photograph that represents the burst, or not.")
    var burstPick: Bool?

    @Flag(help: "Make this photograph represent its burst.")
    var representsBurst = false

    /// Whether nothing is asked for.
    var isEmpty: Bool { burst == nil && burstPick == nil && !representsBurst }

    /// Asks for it.
    func ask(_ request: AssetChangeRequest) {
        if let burst { request.burstIdentifier = burst == "none" ? nil : burst }
        if let burstPick {
            var types = request.burstSelectionTypes
            if burstPick { types.insert(.userPick) } else { types.remove(.userPick) }
            request.burstSelectionTypes = types
        }
        if representsBurst { request.representsBurst = true }
    }
}

/// Which keywords photographs get and lose.
struct KeywordOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Add a keyword; may be repeated.", valueName: "text"))
    var keyword: [String] = []

    @Option(help: ArgumentHelp("Remove a keyword; may be repeated.", valueName: "text"))
    var removeKeyword: [String] = []

    /// Whether nothing is asked for.
    var isEmpty: Bool { keyword.isEmpty && removeKeyword.isEmpty }

    /// Asks for it.
    func ask(_ request: AssetChangeRequest) throws {
        for text in removeKeyword { try request.removeKeyword(text) }
        for text in keyword { try request.addKeyword(text) }
    }
}
