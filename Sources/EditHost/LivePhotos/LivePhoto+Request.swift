// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

extension LivePhoto {
    private static let requests = ImageRequests<LivePhoto>()

    /// Loads a Live Photo from its files, a picture and a video in any order, without a library.
    ///
    /// The files are validated: the picture must be decodable, the video must open and its first frame
    /// must be decodable, and both must have the same content identifier.
    /// - Parameters:
    ///   - fileURLs: The URLs of the two files.
    ///   - placeholderImage: An image to show until the files are loaded. If given, the handler is called with it,
    ///     marked as degraded, before this method returns.
    ///   - targetSize: The box of the still, in pixels; zero for the still's own size. The still is never enlarged.
    ///   - contentMode: Whether the still fits into the box or covers it.
    ///   - host: The host whose runners are used; nil for the shared one.
    ///   - resultHandler: Called on any thread: with the placeholder, if there is one, and exactly once more with
    ///     the Live Photo, an error, or ``ImageRequestInfo/isCancelled``.
    /// - Returns: The identifier with which the request can be cancelled.
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

    /// Cancels a request. Its handler is called soon afterwards, on another thread. A no-op if the request has ended or
    /// is unknown.
    public static func cancelRequest(withRequestID requestID: LivePhotoRequestID) {
        requests.cancel(requestID)
    }

    /// Loads a Live Photo from its files; see
    /// ``request(withResourceFileURLs:placeholderImage:targetSize:contentMode:host:resultHandler:)``.
    ///
    /// - Throws: `HostError` with `badInput` if the files are not a Live Photo.
    public static func load(
        _ fileURLs: [URL], targetSize: PixelSize = PixelSize(width: 0, height: 0),
        contentMode: ImageContentMode = .default, host: ExtensionHost? = nil
    ) async throws -> LivePhoto {
        try await LivePhotoFiles(fileURLs).livePhoto(
            targetSize, contentMode, pool: try (host ?? .shared).pool)
    }
}
