// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Hummingbird
import JSONOutput
import Library
import NIOCore

extension StudioRoutes {
    /// Adds the requests for the pictures of editing sessions.
    func addSessionPictures(to router: Router<StudioContext>) {
        router.post("/api/sessions/:id/preview") { request, context -> Response in
            let session = try session(of: context)
            let body = try await json.decode(SessionPreviewRequest.Body.self, from: request)
            let previewRequest = try SessionPreviewRequest(Query(request), body)
            let (preview, changed) = try await Disconnection.cancelling(context.channel) {
                try await sessions.preview(session, previewRequest)
            }
            return try response(with: preview, changed, previewRequest.revision)
        }
        router.get("/api/sessions/:id/motion") { request, context -> Response in
            let session = try session(of: context)
            guard let revision = try Query(request).integer("revision", in: 0...(1 << 53)) else {
                throw StudioError(.invalidRequest, "the query has no revision")
            }
            let video = try await Disconnection.cancelling(context.channel) {
                try await sessions.motion(session, revision)
            }
            return try FileResponse.response(
                to: request, with: video, [.cacheControl: "no-store"])
        }
        router.get("/api/sessions/:id/color") { request, context -> Response in
            try await color(session(of: context), Query(request))
        }
        router.get("/api/sessions/:id/histogram") { _, context -> Response in
            try await histogram(session(of: context))
        }
        router.post("/api/sessions/:id/files") { request, context -> Response in
            _ = try session(of: context)
            let name = try await sessions.uploads.add(context.requiredLogin) {
                try await json.receive(request, maximum: limits.fileBytes, into: $0)
            }
            return try .json(["name": name], status: .created)
        }
    }

    private func histogram(_ session: StudioSession) async throws -> Response {
        let picture = try await sessions.inTurn(session) { try await $0.displaySizeImage() }
        return try .json(PictureHistogram(of: picture).row)
    }

    /// Returns the mean colour of a square around a point of the edited picture.
    private func color(_ session: StudioSession, _ query: Query) async throws -> Response {
        let size = session.fullSize(isOther: false)
        let (x, y) = (try query.number("x"), try query.number("y"))
        let radius = try query.integer("radius", in: 0...1000) ?? 0
        guard x >= 0, y >= 0, x < Double(size.width), y < Double(size.height) else {
            throw StudioError(.invalidRequest, "the point is beyond the picture of \(size) pixels")
        }
        // The square is at least one pixel of the largest preview, because a single pixel of a photo is noisy.
        let (longer, largest) = (
            max(size.width, size.height), SessionPreviewRequest.sizes.upperBound
        )
        let reduction = (longer + largest - 1) / largest
        let side = reduction > 1 ? max(2 * radius + 1, reduction + 1) : 2 * radius + 1
        func range(_ center: Double, _ length: Int) -> (start: Double, length: Double) {
            let start = min(max(0, Int(center) - side / 2), max(0, length - side))
            return (
                Double(start) / Double(length), Double(min(side, length)) / Double(length)
            )
        }
        let (across, down) = (range(x, size.width), range(y, size.height))
        let region = NormalizedRect(
            x: across.start, y: down.start, width: across.length, height: down.length)
        let pixel = try await sessions.inTurn(session) {
            try await $0.preview(size: PixelSize(width: 1, height: 1), region: region)
        }
        return try .json(["color": Self.components(of: pixel)])
    }

    /// Returns red, green, blue and alpha of a picture's first pixel, from 0 to 1.
    private static func components(of picture: DisplaySizeImage) -> [Double] {
        let isDeep = picture.pixelFormat.bitsPerSample == 16
        let samples = picture.data.withUnsafeBytes { bytes -> [Double] in
            (0..<picture.bands).map { band -> Double in
                if !isDeep { return Double(bytes[band]) / 255 }
                let sample = bytes.loadUnaligned(fromByteOffset: 2 * band, as: UInt16.self)
                return Double(sample) / 65535
            }
        }
        return samples.count == 3 ? samples + [1] : samples
    }

    private func response(
        with preview: EditPreview, _ changed: [String: ParameterValue], _ revision: Int?
    ) throws -> Response {
        var response = Response(
            status: .ok, headers: [.contentType: "image/jpeg"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: preview.data)))
        response.headers[.editRevision] = revision.map { "\($0)" }
        response.headers[.editWidth] = "\(preview.fullSize.width)"
        response.headers[.editHeight] = "\(preview.fullSize.height)"
        if !changed.isEmpty {
            // A header consists of ASCII characters.
            response.headers[.editValues] = try JSONText.of(changed)
                .addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        }
        return response
    }
}
