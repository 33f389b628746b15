// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// The filters of a command. Their names differ between commands.
protocol AssetFiltering: ParsableArguments, Sendable {
    /// `true` if no filter is given. Including hidden photos is not a filter.
    var isEmpty: Bool { get }

    /// Returns the fetch options for the filters.
    ///
    /// - Parameter general: The options of a host, which finds stale pictures.
    /// - Throws: `LibraryError`; `HostError`, `CommandEnd` if stale pictures cannot be found.
    func fetchOptions(
        in library: PhotoLibrary, _ general: GeneralOptions
    ) async throws -> FetchOptions

    /// Fetches the assets that match the filters, within an album if one is given.
    ///
    /// - Throws: `LibraryError`.
    func fetch(in library: PhotoLibrary, _ options: FetchOptions) throws -> FetchResult<Asset>

    /// Whether the photos in the trash are selected.
    ///
    /// - Throws: `LibraryError`.
    func selectsTrash(in library: PhotoLibrary) throws -> Bool
}
