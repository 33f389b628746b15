// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

extension LivePhoto {
    private static let requests = ImageRequests<LivePhoto>()

    /// Loads a Live Photo from its files, which need no library: a picture and its video, in any order.
    ///
    /// The files are validated: a picture that can be decoded, a video that can be opened and whose first frame can
    /// be decoded, and the same content identifier in both.
    /// - Parameters:
    ///   - fileURLs: the files.
    ///   - placeholderImage: what is shown until the files are loaded; with one, the handler is called with it before
    ///     this method returns, marked as degraded.
    ///   - targetSize: the box of the still, in pixels; zero for the still's own size. Nothing is enlarged.
    ///   - contentMode: whether the still fits into the box or covers it.
    ///   - host: who has the runners; nil for the shared one.
    ///   - resultHandler: called on any thread: with the placeholder, if there is one, and exactly once more, with
    ///     the Live Photo, an error, or ``ImageRequestInfo/isCancelled``.
    /// - Returns: what the request can be cancelled by.
    @discardableResult
    public static func request(
        withResourceFileURLs fileURLs: [URL], placeholderImage: AssetImage? = nil,
        targetSize: PixelSize = PixelSize(width: 0, height: 0),
        contentMode: ImageContentMode = .default, host: ExtensionHost? = nil,
        resultHandler: @escaping LivePhotoResultHandler
    ) -> LivePhotoRequestID {
        let identifier = ImageRequestID.next()
        let early = placeholderImage.map { LivePhoto($0, nil) }
        requests.begin(identifier, early: early, resultHandler) {
            await ImageRequestInfo.answer(identifier) { _ in
                let files = try LivePhotoFiles(fileURLs)
                return try await files.livePhoto(
                    targetSize, contentMode, pool: try (host ?? .shared).pool)
            }
        }
        return identifier
    }

    /// Ends a request. Its handler is told so, soon, on another thread. Nothing happens where the request has ended, or
    /// is not known.
    public static func cancelRequest(withRequestID requestID: LivePhotoRequestID) {
        requests.cancel(requestID)
    }

    /// Loads a Live Photo from its files; see
    /// ``request(withResourceFileURLs:placeholderImage:targetSize:contentMode:host:resultHandler:)``.
    ///
    /// - Throws: `HostError` with `badInput` where the files form no Live Photo.
    public static func load(
        _ fileURLs: [URL], targetSize: PixelSize = PixelSize(width: 0, height: 0),
        contentMode: ImageContentMode = .default, host: ExtensionHost? = nil
    ) async throws -> LivePhoto {
        try await LivePhotoFiles(fileURLs).livePhoto(
            targetSize, contentMode, pool: try (host ?? .shared).pool)
    }
}
