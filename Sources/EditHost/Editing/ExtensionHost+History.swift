// SPDX-License-Identifier: Apache-2.0

import Library

extension ExtensionHost {
    /// Moves an asset back by one edit. Re-renders the rendition if it is no longer stored.
    ///
    /// - Throws: `HostError`, `LibraryError`. A no-op if there is nothing to undo.
    public func undo(_ identifier: String, in library: PhotoLibrary) async throws -> EditResult {
        try await move([identifier], in: library, by: -1)[0]
    }

    /// Moves an asset forward by one edit. Re-renders the rendition if it is no longer stored.
    ///
    /// - Throws: `HostError`, `LibraryError`. A no-op if there is nothing to redo.
    public func redo(_ identifier: String, in library: PhotoLibrary) async throws -> EditResult {
        try await move([identifier], in: library, by: 1)[0]
    }

    /// Moves several assets back by one edit, as one atomic change.
    ///
    /// - Parameters:
    ///   - identifiers: the assets, without duplicates.
    ///   - prepared: called in order with the identifier of each asset whose earlier version is available.
    /// - Returns: the result for each asset, in order. Assets without anything to undo stay as they are.
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`; in that case, nothing has changed.
    public func undo(
        _ identifiers: [String], in library: PhotoLibrary,
        prepared: (String) -> Void = { _ in }
    ) async throws -> [EditResult] {
        try await move(identifiers, in: library, by: -1, prepared)
    }

    /// Moves several assets forward by one edit, as one atomic change.
    ///
    /// - Parameters:
    ///   - identifiers: the assets, without duplicates.
    ///   - prepared: called in order with the identifier of each asset whose later version is available.
    /// - Returns: the result for each asset, in order. Assets without anything to redo stay as they are.
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`; in that case, nothing has changed.
    public func redo(
        _ identifiers: [String], in library: PhotoLibrary,
        prepared: (String) -> Void = { _ in }
    ) async throws -> [EditResult] {
        try await move(identifiers, in: library, by: 1, prepared)
    }

    private func move(
        _ identifiers: [String], in library: PhotoLibrary, by step: Int,
        _ prepared: (String) -> Void = { _ in }
    ) async throws -> [EditResult] {
        try await changeEdits(of: identifiers, in: library, attempts: 1, prepared: prepared) {
            let history = try library.history(ofAsset: $0)
            guard step < 0 ? history.canUndo : history.canRedo else {
                return PreparedEdit(history)
            }
            let position = history.position + step
            let rendered =
                position == 0
                ? nil
                : try await self.missing(
                    history.states[position - 1].chain, of: history, in: library)
            return PreparedEdit(history) { request in
                if step < 0 {
                    try request.undo(rendered: rendered)
                } else {
                    try request.redo(rendered: rendered)
                }
            }
        }
    }

    /// Renders the renditions of an edit stack that the library does not have. Returns nil if it has all of them.
    func missing(
        _ chain: [Edit], of history: AssetHistory, in library: PhotoLibrary
    ) async throws -> RenderedContent? {
        var rendered = try await missingPart(chain, of: history, in: library)
        guard chain.last?.coversMotion == true, let motion = history.motion,
            let video = try await missingPart(chain.map(\.ofMotion), of: motion, in: library)
        else { return rendered }
        rendered?.otherParts = [video]
        return rendered ?? video
    }

    private func missingPart(
        _ chain: [Edit], of history: AssetHistory, in library: PhotoLibrary
    ) async throws -> RenderedContent? {
        guard library.storedPicture(of: chain) == nil else { return nil }
        return try await renderer(of: library).rendition(of: chain, in: history)
    }

    /// Reverts assets to their originals, as one atomic change. The edits can be redone until the next edit.
    ///
    /// - Throws: `LibraryError`, `CancellationError`; in that case, nothing has changed.
    public func revert(
        _ identifiers: [String], in library: PhotoLibrary
    ) async throws -> [EditResult] {
        try await changeEdits(of: identifiers, in: library, attempts: 1) {
            let history = try library.history(ofAsset: $0)
            guard history.position > 0 else { return PreparedEdit(history) }
            return PreparedEdit(history) { try $0.revertAssetContentToOriginal() }
        }
    }
}
