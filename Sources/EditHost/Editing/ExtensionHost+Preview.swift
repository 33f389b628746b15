// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerHost
import RunnerProtocol

extension ExtensionHost {
    /// Renders a preview of an edit at display size, without changing the library.
    ///
    /// - Parameters:
    ///   - path: The output file. Its extension determines the format. An existing file is replaced.
    ///   - size: The box that the preview is fitted into; nil means a square of 2048 pixels.
    ///   - region: The region of the edited picture; nil means all of it. The full-size picture is
    ///     decoded only if needed, see ``EditingSession/preview(size:region:)``.
    ///   - time: The time of the frame of a video, in seconds from the first; past the end, the last frame is used;
    ///     nil means the first.
    /// - Returns: The size of the preview, in pixels.
    /// - Throws: `HostError`, with `badRequest` for an unsupported format, or a time if the asset is not a video;
    ///   `LibraryError`.
    public func preview(
        _ identifier: String, _ request: EditRequest, in library: PhotoLibrary,
        to path: String, size: PixelSize? = nil, region: NormalizedRect? = nil, time: Double? = nil,
        cancellation: EditCancellation = EditCancellation()
    ) async throws -> PixelSize {
        let format = try MediaFormat(ofOutput: path)
        try PhotoLibrary.requireOutsideLibraries(path)
        try NewFile.requireReplaceable(path)
        let picture = try await picture(
            identifier, request, in: library, EncodeSettings(preview: format, size: size),
            of: region, at: time, cancellation)
        try NewFile.replace(path, with: picture.bytes)
        return picture.size
    }

    /// Returns a preview of an edit as the bytes of a file.
    /// See ``preview(_:_:in:to:size:region:time:cancellation:)``.
    public func preview(
        _ identifier: String, _ request: EditRequest, in library: PhotoLibrary,
        as format: MediaFormat, size: PixelSize? = nil, region: NormalizedRect? = nil,
        time: Double? = nil, cancellation: EditCancellation = EditCancellation()
    ) async throws -> EncodedImage {
        let picture = try await picture(
            identifier, request, in: library, EncodeSettings(preview: format, size: size),
            of: region, at: time, cancellation)
        return EncodedImage(
            data: try picture.bytes.read(count: picture.byteCount), format: format,
            size: picture.size)
    }

    private func picture(
        _ identifier: String, _ request: EditRequest, in library: PhotoLibrary,
        _ settings: EncodeSettings, of region: NormalizedRect?, at time: Double?,
        _ cancellation: EditCancellation
    ) async throws -> EncodedOutput.Picture {
        await pool.warmUp()
        let isVideo = try library.asset(withLocalIdentifier: identifier).mediaType == .video
        guard isVideo || time == nil else {
            throw HostError(
                .badRequest, "this is not a video; only videos have a time",
                asset: identifier)
        }
        if isVideo { await pool.media?.warmUp() }
        var preparation = try prepare(request, in: library, cancellation, for: .preview)
        preparation.time = time
        if isVideo, preparation.binary.manifest.supportedMediaTypes.contains(.video) {
            preparation.prefetch = FramePrefetch(
                of: try library.history(ofAsset: identifier), at: time, by: preparation.renderer)
        }
        return try await preparation.preview(identifier, settings, of: region)
    }
}

extension ExtensionHost {
    /// The longer side of previews, in pixels.
    static let displaySize = SessionStart.displaySize
}
