// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The assets that the user selected: by name, by filters, or all.
struct AssetSelection {
    let named: NamedAssets
    let filters: FilterOptions
    let order: OrderOptions

    func validate() throws {
        if named.all, !named.ids.isEmpty {
            throw ValidationError("Give identifiers or --all, not both.")
        }
        if !filters.isEmpty, !named.ids.isEmpty {
            throw ValidationError("Give identifiers or filters, not both.")
        }
        if !order.isEmpty, !named.ids.isEmpty {
            throw ValidationError(
                "--sort and --limit need a filter or --all; photographs given by identifier "
                    + "keep the order given.")
        }
        if !named.all, named.ids.isEmpty, filters.isEmpty {
            throw ValidationError("Give at least one identifier or filter, or --all.")
        }
    }

    /// Whether the assets were named, and not found by what they are.
    var areNamed: Bool { !named.ids.isEmpty }

    /// The identifiers of the assets, each once. A filter leaves hidden ones out unless it says
    /// otherwise, as `list` does; all are all.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset` or `ambiguousIdentifier`.
    func identifiers(in library: PhotoLibrary) throws -> [String] {
        guard named.ids.isEmpty else {
            return try library.identifiers(named: StandardInput.filling(named.ids))
        }
        var options = try filters.fetchOptions(in: library)
        order.ask(&options)
        if named.all { Self.includeAll(&options) }
        return try filters.fetch(in: library, options).localIdentifiers()
    }

    /// What fetches all assets of a library, where these are asked for: without a filter, in no order of the user's and without a
    /// limit.
    var optionsForAll: FetchOptions? {
        guard named.all, filters.isEmpty, order.isEmpty else { return nil }
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

extension AssetSelection {
    /// The same, where some may be wrong and the others are worked on all the same.
    ///
    /// - Parameter failed: told of a name that is none.
    func identifiers(
        in library: PhotoLibrary, failed: (String, any Error) throws -> Void
    ) throws -> [String] {
        guard areNamed else { return try identifiers(in: library) }
        var seen: Set<String> = []
        var identifiers: [String] = []
        for name in try StandardInput.filling(named.ids) {
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
