// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

extension ExtensionHost {
    /// Opens an edit of one photograph that stays open: its parameters can be changed and its
    /// previews looked at again and again, until it is finished or cancelled.
    ///
    /// The session has a runner of its own until it ends, and edits need not wait for that.
    ///
    /// - Parameters:
    ///   - assetIdentifier: the photograph.
    ///   - request: the extension and the values to begin with.
    ///   - displaySize: the longer side of previews, at most, in pixels, 16...2048: the nearer it is
    ///     to what is shown, the sooner that is there.
    ///   - progressHandler: told how far the extension is with what takes long, if it says so.
    /// - Throws: `HostError`, with `tooManySessions` where
    ///   ``HostConfiguration/editingSessionLimit`` are open; `LibraryError`.
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
            let work = EditingSessionWork(edit, in: editingSessions)
            editingSessions.add(work)
            return EditingSession(work)
        } catch {
            editingSessions.release()
            throw error
        }
    }
}

/// An edit of one photograph by one extension, open for as long as somebody works on it.
///
/// Nothing is in the library before ``finish()``. All members may be used on any thread; calls are
/// carried out one after the other, in their order, but for ``cancel()`` and
/// ``shouldShowCancelConfirmation()``, which do not wait. The end of the task that calls does not end the
/// session. A session that nobody refers to any more is cancelled.
///
/// Once it has ended calls throw `HostError`: after ``cancel()`` with `cancelled`; with `sessionEnded` after
/// ``finish()``, whatever came of that, or where its runner has died.
public final class EditingSession: Sendable {
    private let work: EditingSessionWork

    init(_ work: EditingSessionWork) { self.work = work }

    deinit {
        let work = work
        Task.detached { await work.cancel() }
    }

    /// The photograph's identifier.
    public var assetIdentifier: String { work.edit.history.asset.localIdentifier }
    /// The extension's manifest, which has its parameters.
    public var manifest: ExtensionManifest { work.edit.session.manifest }
    /// What the extension was given.
    public var input: EditResult.Input { work.edit.kindOfInput }
    /// The values of all parameters, as the extension said last. Readable after the end too.
    public var parameters: [String: ParameterValue] { work.parameters }

    /// Changes parameters.
    ///
    /// - Parameter values: the new values by the manifest's names; the others stay as they are.
    /// - Returns: the values of all.
    /// - Throws: `HostError`, with `badParameter` for values that do not suit the manifest, or that the
    ///   extension refuses: then nothing has changed.
    @discardableResult
    public func setParameters(
        _ values: [String: ParameterValue]
    ) async throws -> [String: ParameterValue] {
        try await work.perform { work in
            let values = try await work.edit.session.setParameters(
                values, in: work.edit.preparation.library)
            work.remember(values)
            return values
        }
    }

    /// The edit as it stands, in pixels.
    ///
    /// - Parameters:
    ///   - size: the box that it fits into, in pixels; nil: that of the display size. Nothing is enlarged.
    ///   - region: the part of the edited picture that is wanted, as for a loupe; nil: all of it. The
    ///     full-size picture is decoded only where the part fills the box with fewer pixels than it has. A
    ///     region without a size is given pixel by pixel, as far as the display size goes.
    /// - Throws: `HostError`, with `badRequest` for a region that is not a part of the picture.
    public func preview(
        size: PixelSize? = nil, region: NormalizedRect? = nil
    ) async throws -> DisplaySizeImage {
        try await work.perform { try await $0.edit.preview(within: size, of: region) }
    }

    /// The edit as it stands, as the bytes of a file.
    ///
    /// - Parameters:
    ///   - format: JPEG, PNG, TIFF or WebP.
    ///   - size: the box that it fits into, in pixels; nil: that of the display size.
    ///   - region: the part that is wanted, as for ``preview(size:region:)``.
    ///   - quality: 1...100, for formats that have it; nil: that of renditions.
    /// - Throws: `HostError`, with `badRequest` for a format that is not written.
    public func encodedPreview(
        as format: MediaFormat, size: PixelSize? = nil, region: NormalizedRect? = nil,
        quality: Int? = nil
    ) async throws -> Data {
        let settings = try EncodeSettings(preview: format, size: size, quality: quality)
        return try await work.perform { work in
            let picture = try await work.edit.preview(settings, of: region)
            return try picture.bytes.read(count: picture.bytes.byteCount())
        }
    }

    /// Has the extension finish, renders the full size, and commits the edit as `edit` does. The
    /// session has ended then, also where this throws.
    ///
    /// - Throws: `HostError`; `LibraryError`, with `conflict` where the photograph has changed since the
    ///   session was opened, in this process or another: what was looked at would not be what is
    ///   committed, so nothing is. ``parameters`` can be given to a new session.
    public func finish() async throws -> EditResult { try await work.finish() }

    /// Whether the extension wants the user to be asked before its edit is thrown away. False once
    /// the session has ended.
    public func shouldShowCancelConfirmation() async -> Bool {
        await work.shouldShowCancelConfirmation()
    }

    /// Throws the edit away. What is under way fails with `cancelled`. Returns when the runner is free;
    /// where the edit is being committed already, when it is.
    public func cancel() async { await work.cancel() }
}
