// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Hummingbird
import JSONOutput
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
            return try await video(identifier, key, request, context)
        }
        router.get("/api/assets/:id/video") { _, context -> Response in
            try await .json(state(ofVideo: context.parameters.require("id")))
        }
    }

    private func video(
        _ identifier: String, _ key: ContentKey, _ request: Request, _ context: StudioContext
    ) async throws -> Response {
        let tag = "\"\(key)\""
        if EntityTag.matches(request.headers[.ifNoneMatch], tag) {
            return Response(status: .notModified, headers: .immutable(tag))
        }
        try requireCurrent(key, ofAsset: identifier)
        let asset = try library.asset(withLocalIdentifier: identifier, mayBeTrashed: true)
        // The conversion is cancelled if no request waits for it.
        let video = try await Disconnection.cancelling(context.channel) {
            try await images.webVideo(for: asset)
        }
        try requireCurrent(key, ofAsset: identifier)
        return try FileResponse.response(to: request, with: video, .immutable(tag))
    }

    /// Returns whether the video can be sent immediately, and otherwise how far its conversion has progressed.
    private func state(ofVideo identifier: String) async throws -> JSONRow {
        let asset = try library.asset(withLocalIdentifier: identifier, mayBeTrashed: true)
        let key = try contentKey(ofAsset: identifier).description
        do {
            switch try await images.webVideoState(of: asset) {
            case .ready: return ["key": key, "state": "ready", "progress": 1.0]
            case .converting(let fraction):
                return ["key": key, "state": "converting", "progress": fraction]
            case .unconverted: return ["key": key, "state": "unconverted", "progress": 0.0]
            }
        } catch let error as HostError where error.code == .unsupportedMediaType {
            return ["key": key, "state": "none", "progress": 0.0]
        }
    }
}
