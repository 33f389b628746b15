// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

extension ExtensionHost {
    /// Renders what an edit would look like, at display size, without changing the library. The
    /// full-size picture is not decoded.
    ///
    /// - Parameters:
    ///   - path: where the picture goes; its ending says the format. Replaced if it is there.
    ///   - size: the box that it fits into; nil: 2048 pixels.
    /// - Returns: the picture's size.
    /// - Throws: `HostError`, `LibraryError`.
    public func preview(
        _ identifier: String, _ request: EditRequest, in library: PhotoLibrary,
        to path: String, size: PixelSize? = nil,
        cancellation: EditCancellation = EditCancellation()
    ) async throws -> PixelSize {
        let ending = (path as NSString).pathExtension
        guard let format = MediaFormat(name: ending), format.isWritten else {
            throw HostError(
                .badRequest,
                "the ending of \(path) names no picture format; use .jpg, .png, .tif or .webp")
        }
        var settings = EncodeSettings(format: format, size: size)
        settings.quality = format.hasQuality ? EncodeSettings.renditionQuality : nil
        await pool.warmUp()
        let preparation = try prepare(request, in: library, cancellation)
        let picture = try await preparation.preview(identifier, settings)
        try NewFile.replace(path, with: picture.bytes)
        return picture.size
    }
}
