// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension ExtensionHost {
    /// Opens an editing session for one photo. Its parameters can be changed and its previews rendered
    /// any number of times, until it is finished or cancelled.
    ///
    /// The session has its own runner until it ends, so other edits do not wait for it.
    ///
    /// - Parameters:
    ///   - assetIdentifier: The local identifier of the photo.
    ///   - request: The extension and the initial values.
    ///   - displaySize: The maximum longer side of previews in pixels, clamped to 16...2048. Previews are fastest if it
    ///     is close to the size shown on the screen.
    ///   - progressHandler: Receives the progress of long operations, from extensions that report it.
    /// - Throws: `HostError`, with `tooManySessions` if
    ///   ``HostConfiguration/editingSessionLimit`` sessions are open; `LibraryError`.
    public func openEditingSession(
        for assetIdentifier: String, _ request: EditRequest, in library: PhotoLibrary,
        displaySize: Int = 2048, progressHandler: EditProgressHandler? = nil
    ) async throws -> EditingSession {
        let cancellation = EditCancellation()
        var preparation = try prepare(request, in: library, cancellation, for: .session)
        preparation.progressHandler = progressHandler
        preparation.displaySize = min(max(displaySize, 16), Self.displaySize)
        try editingSessions.reserve()
        do {
            let edit = try await preparation.start(assetIdentifier)
            let implementation = EditingSessionImplementation(edit, in: editingSessions)
            editingSessions.add(implementation)
            return EditingSession(implementation)
        } catch {
            editingSessions.release()
            throw error
        }
    }
}
