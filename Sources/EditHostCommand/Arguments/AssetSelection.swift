// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The selected assets: by identifier, by filters, or all.
struct AssetSelection {
    let named: NamedAssets
    let filters: any AssetFiltering
    let order: OrderOptions
    let general: GeneralOptions

    func validate() throws {
        if named.all, !named.ids.isEmpty {
            throw ValidationError("Give identifiers or --all, not both.")
        }
        if !filters.isEmpty, !named.ids.isEmpty {
            throw ValidationError("Give identifiers or filters, not both.")
        }
        if !order.isEmpty, !named.ids.isEmpty {
            throw ValidationError(
                "--sort and --limit need a filter or --all; photos given by identifier "
                    + "keep the order given.")
        }
        if !named.all, named.ids.isEmpty, filters.isEmpty {
            throw ValidationError("Give at least one identifier or filter, or --all.")
        }
    }

    /// `true` if nothing was selected.
    var isEmpty: Bool { !named.all && named.ids.isEmpty && filters.isEmpty && order.isEmpty }

    /// `true` if the assets were selected by identifier.
    var areNamed: Bool { !named.ids.isEmpty }

    /// The given names, including those on standard input; `nil` if the assets are not selected by name.
    ///
    /// Read them before opening the library to change it: the program that writes them may have it open.
    var names: [String]? {
        get throws { areNamed ? try StandardInput.filling(named.ids) : nil }
    }

    /// Returns the identifiers of the selected assets without duplicates.
    ///
    /// Filters exclude hidden assets by default, as `list` does. `--all` includes them.
    ///
    /// - Throws: `LibraryError` with the code `noSuchAsset` or `ambiguousIdentifier`.
    func identifiers(in library: PhotoLibrary) async throws -> [String] {
        try await identifiers(in: library, named: try names)
    }

    /// Returns the identifiers of the selected assets, like ``identifiers(in:)``.
    ///
    /// - Parameter names: The value of ``names``.
    func identifiers(
        in library: PhotoLibrary, named names: [String]?
    ) async throws -> [String] {
        if let names { return try library.identifiers(named: names) }
        if try filters.selectsTrash(in: library) {
            throw CommandEnd(
                status: .usage,
                message: "photos in the trash cannot be selected; restore them with edithost "
                    + "trash restore")
        }
        var options = try await filters.fetchOptions(in: library, general)
        order.ask(&options)
        if named.all { Self.includeAll(&options) }
        return try filters.fetch(in: library, options).localIdentifiers()
    }

    /// The fetch options for `--all` without filters, order or limit; `nil` for any other selection.
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

extension AssetSelection {
    /// Returns the identifiers of the selected assets. Invalid names are reported and skipped.
    ///
    /// - Parameter failed: A closure that is called with each invalid name and its error.
    func identifiers(
        in library: PhotoLibrary, failed: (String, any Error) throws -> Void
    ) async throws -> [String] {
        guard areNamed else { return try await identifiers(in: library) }
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
