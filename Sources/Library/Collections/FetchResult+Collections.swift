// SPDX-License-Identifier: Apache-2.0

extension FetchResult {
    /// Creates the result of a fetch of albums or folders.
    init(
        _ query: CollectionQuery<Element>, in library: PhotoLibrary,
        _ options: CollectionFetchOptions
    ) {
        self.init(
            FetchedObjects(
                query, in: library, isIncremental: options.wantsIncrementalChangeDetails))
    }
}
