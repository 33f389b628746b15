// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Hummingbird
import Library

extension StudioRoutes {
    /// Adds the requests for videos.
    func addVideos(to router: Router<StudioContext>) {
        router.get("/videos/:id/:file") { request, context -> Response in
            let (identifier, file) = try (
                context.parameters.require("id"), context.parameters.require("file")
            )
            guard file.hasSuffix(".mp4"), let key = ContentKey(String(file.dropLast(4))) else {
                throw StudioError(.staleKey, "this is not a content key with .mp4")
            }
            return try await video(identifier, key, request)
        }
    }

    private func video(
        _ identifier: String, _ key: ContentKey, _ request: Request
    ) async throws -> Response {
        let tag = "\"\(key)\""
        if EntityTag.matches(request.headers[.ifNoneMatch], tag) {
            return Response(status: .notModified, headers: Self.immutable(tag))
        }
        try requireCurrent(key, ofAsset: identifier)
        let history = try library.history(ofAsset: identifier)
        try requirePlayable(history)
        let asset = history.asset
        let video =
            asset.mediaType == .video
            ? try await images.video(for: asset) : try images.motion(of: asset, .current).0
        try requireCurrent(key, ofAsset: identifier)
        return try FileResponse.response(to: request, with: video, tag: tag)
    }

    /// Only what browsers play is sent: H.264 with 8 bits and 4:2:0, with AAC or without sound.
    private func requirePlayable(_ history: AssetHistory) throws {
        let asset = history.asset
        let isVideo = asset.mediaType == .video
        let resource = isVideo ? history.original : history.pairedVideo
        guard let facts = resource?.facts, let video = facts.video, let format = resource?.format
        else {
            throw HostError(
                .unsupportedMediaType, "this is neither a video nor a Live Photo",
                asset: asset.localIdentifier)
        }
        let hasSound = video.audioCodec != nil
        guard video.codec == "h264", facts.bitsPerSample <= 8,
            !hasSound || video.audioCodec == "aac",
            format == .mp4 || format == .quickTime
        else {
            throw HostError(
                .unsupportedMediaType,
                "browsers do not play this video (\(video.codec)\(hasSound ? ", " : "")"
                    + "\(video.audioCodec ?? "")); export it instead",
                asset: asset.localIdentifier)
        }
    }
}
