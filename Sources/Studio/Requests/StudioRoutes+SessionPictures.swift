// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Hummingbird
import JSONOutput
import NIOCore

extension StudioRoutes {
    /// Adds the requests for the pictures of editing sessions.
    func addSessionPictures(to router: Router<StudioContext>) {
        router.post("/api/sessions/:id/preview") { request, context -> Response in
            let session = try session(of: context)
            let body = try await json.decode(SessionPreviewRequest.Body.self, from: request)
            let wanted = try SessionPreviewRequest(Query(request), body)
            let (preview, changed) = try await Disconnection.cancelling(context.channel) {
                try await sessions.preview(session, wanted)
            }
            return try response(with: preview, changed, wanted.revision)
        }
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
