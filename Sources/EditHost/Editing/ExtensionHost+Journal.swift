// SPDX-License-Identifier: Apache-2.0

import Library

extension ExtensionHost {
    /// Undoes an entry of the journal as one atomic change. Re-renders the renditions of earlier states that are no
    /// longer stored. The host is attached to the library, so that it picks again from bursts.
    ///
    /// - Parameter prepared: Called in order with the identifier of each asset whose earlier version is available.
    /// - Returns: What was restored, and what was left because it has changed since or cannot be rendered.
    /// - Throws: `HostError`, naming the asset; `LibraryError`, `CancellationError`; in that case, nothing has changed.
    package func undo(
        _ entry: JournalEntry.Identifier, in library: PhotoLibrary,
        prepared: (String) -> Void = { _ in }
    ) async throws -> UndoReport {
        attach(to: library)
        let attempts = 3
        for attempt in 1..<attempts {
            do {
                return try await undoOnce(entry, in: library, attempt == 1 ? prepared : { _ in })
            } catch let error as LibraryError
                where [.conflict, .noSuchAsset, .renditionMissing].contains(error.code)
            {
                // Another process changed a photo or pruned a rendition.
                logger.info("retrying the undo: \(error)")
                try await Task.sleep(for: .milliseconds(Int.random(in: 5...40) * attempt))
            }
        }
        return try await undoOnce(entry, in: library) { _ in }
    }

    private func undoOnce(
        _ entry: JournalEntry.Identifier, in library: PhotoLibrary, _ prepared: (String) -> Void
    ) async throws -> UndoReport {
        let states = try library.plannedUndo(of: entry).states
        var rendered: [PhotoLibrary.UndoneState: RenderedContent] = [:]
        var unrendered: [String: String] = [:]
        var delivered = 0
        try await forEachOrdered(states, limit: configuration.runnerLimit) {
            state -> Result<RenderedContent?, any Error> in
            do {
                return .success(
                    try await self.withMemory(for: state.identifier, in: library) {
                        try await self.missing(state, in: library)
                    })
            } catch {
                return .failure(error)
            }
        } deliver: { result in
            let identifier = states[delivered].identifier
            do {
                rendered[states[delivered]] = try result.get()
            } catch let error where error.concernsOnePicture {
                unrendered[identifier] = "\(error)"
            }
            prepared(identifier)
            delivered += 1
        }
        try Task.checkCancellation()
        return try await library.undo(entry, rendered: rendered, unrendered: unrendered)
    }

    /// Renders the rendition of a state if the library does not have it.
    private func missing(
        _ state: PhotoLibrary.UndoneState, in library: PhotoLibrary
    ) async throws -> RenderedContent? {
        let history = try library.history(ofAsset: state.identifier)
        guard state.position > 0, state.position <= history.states.count,
            case let chain = history.states[state.position - 1].chain,
            chain.last?.identifier == state.edit
        else { return nil }
        return try await missing(chain, of: history, in: library)
    }
}

extension Error {
    /// Whether the error prevents the rendering of one picture, and may not occur with others.
    fileprivate var concernsOnePicture: Bool {
        if let error = self as? HostError {
            return [
                .noSuchExtension, .ambiguousExtension, .unusableExtension, .unsupportedMediaType,
                .badParameter, .extensionFailed, .runnerFailed, .badInput, .blockedFormat,
                .noSuchFile, .cannotRender,
            ].contains(error.code)
        }
        guard let error = self as? LibraryError else { return false }
        return [.originalMissing, .originalDamaged, .referencedFileChanged, .blobMissing]
            .contains(error.code)
    }
}
