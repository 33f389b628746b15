// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Hummingbird
import Library
import NIOCore

extension StudioRoutes {
    /// Adds the requests for pictures.
    func addPictures(to router: Router<StudioContext>) {
        router.get("/pictures/:id/:key/current") { request, context -> Response in
            try await picture(.current, request, context)
        }
        router.get("/pictures/:id/:key/original") { request, context -> Response in
            try await picture(.original, request, context)
        }
        router.get("/pictures/:id/:key/state/:state") { request, context -> Response in
            guard let position = context.parameters.get("state", as: Int.self), position >= 0 else {
                throw StudioError(.notFound, "a state is a number from 0")
            }
            return try await picture(.state(position), request, context)
        }
        router.get("/pictures/:id/:key/version/:name") { request, context -> Response in
            let name = try context.parameters.require("name").removingPercentEncoding
            guard let name else { throw StudioError(.notFound, "the name is not valid UTF-8") }
            return try await picture(.named(name), request, context)
        }
    }

    private func picture(
        _ version: PictureRequest.Version, _ request: Request, _ context: StudioContext
    ) async throws -> Response {
        let pictureRequest = try PictureRequest(version, context, Query(request), limits)
        // The entity tag depends on the URL alone.
        if EntityTag.matches(request.headers[.ifNoneMatch], pictureRequest.tag) {
            return Response(status: .notModified, headers: .immutable(pictureRequest.tag))
        }
        let picture = try await image(pictureRequest, context)
        var response = Response(
            status: .ok, headers: .immutable(pictureRequest.tag),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.data)))
        response.headers[.contentType] = picture.format.webMediaType
        return response
    }

    private func image(
        _ pictureRequest: PictureRequest, _ context: StudioContext
    ) async throws -> EncodedImage {
        if let cached = pictures.picture(pictureRequest) { return cached }
        try requireCurrent(pictureRequest.key, ofAsset: pictureRequest.asset)
        let asset = try library.asset(withLocalIdentifier: pictureRequest.asset, mayBeTrashed: true)
        let picture = try await Disconnection.cancelling(context.channel) {
            try await images.encodedImage(
                for: asset, targetSize: pictureRequest.targetSize,
                contentMode: pictureRequest.covers ? .aspectFill : .aspectFit,
                options: pictureRequest.options)
        }
        // The asset may have been edited in the meantime. The key must not stand for a different picture.
        try requireCurrent(pictureRequest.key, ofAsset: pictureRequest.asset)
        pictures.keep(picture, pictureRequest)
        return picture
    }
}

extension MediaFormat {
    /// The media type of a picture in HTTP. The image manager encodes no other formats for display.
    fileprivate var webMediaType: String {
        switch self {
        case .png: "image/png"
        case .webp: "image/webp"
        default: "image/jpeg"
        }
    }
}
