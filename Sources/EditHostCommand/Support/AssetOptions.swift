// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The assets of a command that works on several, on those that a filter finds, or on all.
struct AssetOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The assets' identifiers, or unique beginnings of them.", valueName: "id"),
        completion: .asset)
    var ids: [String] = []

    @Flag(help: "All assets of the library.")
    var all = false

    @OptionGroup(title: "Filters") var filters: FilterOptions

    @OptionGroup(title: "Order of those filtered, or of all") var order: OrderOptions

    func validate() throws {
        if all, !ids.isEmpty { throw ValidationError("Name assets, or say --all, not both.") }
        if !filters.isEmpty, !ids.isEmpty {
            throw ValidationError("Name assets, or filter them, not both.")
        }
        if !order.isEmpty, !ids.isEmpty {
            throw ValidationError(
                "Named assets come in the order named: --sort and --limit are for filters and "
                    + "--all.")
        }
        if !all, ids.isEmpty, filters.isEmpty {
            throw ValidationError("Name at least one asset, filter them, or say --all.")
        }
    }

    /// The identifiers of the assets, each once. A filter leaves hidden ones out unless it says
    /// otherwise, as `list` does; all are all.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset` or `ambiguousIdentifier`.
    func identifiers(in library: PhotoLibrary) throws -> [String] {
        guard ids.isEmpty else { return try library.identifiers(named: ids) }
        var options = try filters.fetchOptions(in: library)
        order.ask(&options)
        guard all else { return try filters.fetch(in: library, options).localIdentifiers() }
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        options.includeAssetSourceTypes = [.userLibrary, .cloudShared, .syncedFromDevice]
        return try filters.fetch(in: library, options).localIdentifiers()
    }
}

extension PhotoLibrary {
    /// The identifiers of the assets that a user named, each once, in the order named.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset` or `ambiguousIdentifier`.
    func identifiers(named names: [String]) throws -> [String] {
        var seen: Set<String> = []
        return try names.map { try asset(withIdentifierPrefix: $0).localIdentifier }
            .filter { seen.insert($0).inserted }
    }
}
