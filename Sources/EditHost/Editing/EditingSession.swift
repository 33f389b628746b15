// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

/// An interactive edit of one photo by one extension.
///
/// Nothing is stored in the library before ``finish()``. All members can be used on any thread. Calls are
/// executed in sequence, in the order in which they were made, except ``cancel()`` and
/// ``shouldShowCancelConfirmation()``, which do not wait. Cancelling the calling task does not end the
/// session. A session is cancelled when its last reference is released.
///
/// Calls to an ended session throw `HostError`: with `cancelled` after ``cancel()``; with `sessionEnded` after
/// ``finish()``, even if that failed, or if its runner has died.
public final class EditingSession: Sendable {
    let implementation: EditingSessionImplementation

    init(_ implementation: EditingSessionImplementation) { self.implementation = implementation }

    deinit {
        let implementation = implementation
        Task.detached { await implementation.cancel() }
    }

    /// The local identifier of the photo.
    public var assetIdentifier: String { implementation.assetIdentifier }
    /// The extension's manifest, which declares its parameters.
    public var manifest: ExtensionManifest { implementation.edit.session.manifest }
    /// The state that the extension received as its input.
    public var input: EditResult.Input { implementation.edit.kindOfInput }
    /// Whether the session continues an edit of the photo, instead of adding one.
    public var continuesEdit: Bool { implementation.edit.continued != nil }
    /// The values of all parameters, as last reported by the extension. Also available after the end of the session.
    public var parameters: [String: ParameterValue] { implementation.parameters }

    /// Changes parameters.
    ///
    /// - Parameter values: The new values, by the names in the manifest. Other parameters keep their values.
    /// - Returns: The values of all parameters.
    /// - Throws: `HostError`, with `badParameter` if a value does not conform to the manifest or the extension
    ///   rejects it. In that case, nothing has changed.
    @discardableResult
    public func setParameters(
        _ values: [String: ParameterValue]
    ) async throws -> [String: ParameterValue] {
        try await implementation.perform { implementation in
            let values = try await implementation.edit.session.setParameters(
                values, in: implementation.edit.preparation.library)
            implementation.remember(values)
            return values
        }
    }

    /// Renders the current state of the edit as pixels.
    ///
    /// - Parameters:
    ///   - size: The box that the preview is fitted into, in pixels; nil means a square of the display size. Previews
    ///     are never enlarged.
    ///   - region: The region of the edited picture, as for a loupe; nil means all of it. The full-size picture is
    ///     decoded only if the display-size picture has too few pixels to fill the box. Without a size, a region is
    ///     rendered at full resolution, up to the display size.
    /// - Throws: `HostError`, with `badRequest` for a region outside the picture.
    public func preview(
        size: PixelSize? = nil, region: NormalizedRect? = nil
    ) async throws -> DisplaySizeImage {
        try await implementation.perform { try await $0.edit.preview(within: size, of: region) }
    }

    /// Renders the current state of the edit as an encoded image.
    ///
    /// - Parameters:
    ///   - format: JPEG, PNG, TIFF or WebP.
    ///   - size: The box that the preview is fitted into, in pixels; nil means a square of the display size.
    ///   - region: The region of the edited picture, see ``preview(size:region:)``.
    ///   - quality: 1...100, for formats that have a quality; nil means that of renditions.
    /// - Returns: The bytes of the encoded image.
    /// - Throws: `HostError`, with `badRequest` for a format that cannot be written.
    public func encodedPreview(
        as format: MediaFormat, size: PixelSize? = nil, region: NormalizedRect? = nil,
        quality: Int? = nil
    ) async throws -> Data {
        let settings = try EncodeSettings(preview: format, size: size, quality: quality)
        return try await implementation.perform { implementation in
            let picture = try await implementation.edit.preview(settings, of: region)
            return try picture.bytes.read(count: picture.bytes.byteCount())
        }
    }

    /// Renders the edit as an encoded image without metadata, optionally with other values or at another time.
    ///
    /// For example, a thumbnail of a preset is a preview with the values of the preset, and a crop is chosen on a
    /// preview without the crop.
    ///
    /// - Parameters:
    ///   - format: JPEG, PNG, TIFF or WebP.
    ///   - size: The box that the preview is fitted into, in pixels; nil means a square of the display size.
    ///   - region: The region of the edited picture, see ``preview(size:region:)``.
    ///   - quality: 1...100, for formats that have a quality; nil means that of renditions.
    ///   - profile: The profile of the image; nil means that of the edited picture.
    ///   - values: Values for this preview only. ``parameters`` do not change.
    ///   - time: The time of the frame of a video, in seconds from the first; past the end, the last frame is used; nil
    ///     means the first. A sequence of previews at the same time is faster than previews at different times.
    /// - Throws: `HostError`, with `badParameter` for an invalid value, or `badRequest` for an unsupported format, a
    ///   region outside the picture, or a time if the asset is not a video.
    public func encodedPreview(
        as format: MediaFormat, size: PixelSize? = nil, region: NormalizedRect? = nil,
        quality: Int? = nil, profile: ColorProfile?, with values: [String: ParameterValue] = [:],
        at time: Double? = nil
    ) async throws -> EditPreview {
        var settings = try EncodeSettings(preview: format, size: size, quality: quality)
        settings.profile = profile
        settings.omittedMetadata = .all
        let wanted = settings
        return try await implementation.perform { implementation in
            let edit = try await implementation.edit(at: time)
            return try await implementation.setting(values, in: edit) {
                try EditPreview(try await edit.preview(wanted, of: region))
            }
        }
    }

    /// Returns the input of the edit at display size, as the extension receives it.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    public func displaySizeImage() async throws -> DisplaySizeImage {
        try await implementation.perform { try await $0.edit.displaySizeImage() }
    }

    /// Whether the session has not ended: it has not been finished or cancelled, and its runner was alive at the last
    /// call.
    public var isOpen: Bool { implementation.isOpen }

    /// Finishes the edit, renders it at full size, and commits it like
    /// ``ExtensionHost/edit(_:_:in:cancellation:progressHandler:finished:outcome:)``. Ends the session, even if it throws.
    ///
    /// - Throws: `HostError`, with `cancelled` if the task was already cancelled; `LibraryError`, with `conflict` if
    ///   the photo has changed since the session was opened, in this process or another. Nothing is committed
    ///   then, because the result would differ from the previews. ``parameters`` can be passed to a new session.
    public func finish() async throws -> EditResult { try await implementation.finish() }

    /// Returns whether the extension wants the user to confirm before its edit is discarded. `false` once
    /// the session has ended.
    ///
    /// Returns when the extension has answered or the session has ended, however long that takes. An application that
    /// has waited for 5 s should ask the user.
    public func shouldShowCancelConfirmation() async -> Bool {
        await implementation.shouldShowCancelConfirmation()
    }

    /// Discards the edit. Calls in flight fail with `cancelled`. Returns when the runner has been released, or, if
    /// the edit is already being committed, when the commit has finished.
    public func cancel() async { await implementation.cancel() }
}
