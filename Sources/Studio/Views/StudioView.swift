// SPDX-License-Identifier: Apache-2.0

import Library
import Synchronization

/// A fetch result that the server holds for a page. Positions are indexes in it.
final class StudioView: Sendable {
    /// The result, and the token up to which changes have been applied to it.
    struct Snapshot: Sendable {
        let result: FetchResult<Asset>
        let token: ChangeToken
    }

    private let state: Mutex<Snapshot>

    /// - Throws: `LibraryError`.
    init(_ request: ViewRequest, in library: PhotoLibrary) throws {
        // The token is read first. A change while the result is being read is then reported again.
        let token = try library.currentChangeToken
        let result = try request.fetch(in: library)
        try result.load()
        state = Mutex(Snapshot(result: result, token: token))
    }

    /// The current snapshot.
    var snapshot: Snapshot { state.withLock { $0 } }

    /// Applies a change.
    ///
    /// - Returns: The changes to the result; nil if it has not changed.
    /// - Throws: `LibraryError`.
    func apply(_ change: Change) throws -> FetchResultChangeDetails<Asset>? {
        try state.withLock { state in
            let details = try change.changeDetails(for: state.result)
            state = Snapshot(
                result: details?.fetchResultAfterChanges ?? state.result,
                token: max(state.token, change.token))
            return details
        }
    }
}
