// SPDX-License-Identifier: Apache-2.0

import Library

/// A state or a named version of an asset, as the subject of a request for a picture.
public enum AssetImageState: Hashable, Sendable {
    /// A state of the history: 0 for the original, n for the state after n undo steps.
    case state(Int)
    /// The named version.
    case version(String)

    /// Returns the edits of the state.
    ///
    /// - Throws: `HostError` with `badRequest` if there is no such state; `LibraryError` with `noSuchVersion`.
    func chain(of history: AssetHistory) throws -> [Edit] {
        switch self {
        case .state(0): return []
        case .state(let position):
            guard let state = history.states.first(where: { $0.position == position }) else {
                throw HostError(
                    .badRequest,
                    "there is no state \(position); the photo has states 0 to \(history.states.count)",
                    asset: history.asset.localIdentifier)
            }
            return state.chain
        case .version(let name):
            return try ExtensionHost.version(named: name, of: history).chain
        }
    }
}
