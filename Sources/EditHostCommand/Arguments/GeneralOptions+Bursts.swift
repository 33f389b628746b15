// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension GeneralOptions {
    /// Performs a change that adds assets to their bursts or takes them away. Only a host can then
    /// pick the best frame of a burst again.
    ///
    /// - Throws: `LibraryError`.
    func commit(
        changing assets: [Asset], in library: PhotoLibrary,
        _ changes: @escaping @Sendable () throws -> Void
    ) async throws {
        guard assets.contains(where: { $0.burstIdentifier != nil }) else {
            _ = try await library.performChanges(changes)
            return
        }
        try await withHost(jobs: 1) { host in
            host.attach(to: library)
            _ = try await library.performChanges(changes)
        }
    }
}
