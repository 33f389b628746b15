// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

import Hashing

/// One request for a picture, understood.
struct ImageRequest: Sendable {
    let assetIdentifier: String
    let targetSize: PixelSize
    let contentMode: ImageContentMode
    let options: ImageRequestOptions

    /// Waiting callers get the best picture.
    var deliveryMode: ImageRequestOptionsDeliveryMode {
        options.isSynchronous ? .highQualityFormat : options.deliveryMode
    }

    /// - Throws: `HostError` with `badRequest` where it makes no sense.
    func check() throws {
        func refuse(_ message: String) -> HostError {
            HostError(.badRequest, message, asset: assetIdentifier)
        }
        if options.resizeMode != .none, targetSize.width < 1 || targetSize.height < 1 {
            throw refuse("invalid size \(targetSize); width and height must be at least 1")
        }
        let crop = options.normalizedCropRect
        if crop == .zero { return }
        guard crop.isInUnitSquare else {
            throw refuse(
                "invalid crop; x, y, width, height, x + width and y + height must be from 0 to "
                    + "1")
        }
        guard options.resizeMode == .exact else {
            throw refuse("a crop needs the resize mode exact")
        }
    }

    /// How the picture is drawn, in the same words for all requests that it serves.
    func drawing(of source: ImageSource) -> ImageDrawing {
        var drawing = ImageDrawing()
        let crop = options.normalizedCropRect
        drawing.crop = crop == .zero ? nil : crop
        let region = ImageGeometry.region(drawing.crop, of: source.size).size
        var size = region
        if options.resizeMode != .none {
            size = ImageGeometry.size(
                of: region, in: targetSize, fills: contentMode == .aspectFill)
        }
        if size != region {
            drawing.box = size
            drawing.isExact = options.resizeMode == .exact
        }
        drawing.keepsProfile =
            options.keepsColorProfile || max(size.width, size.height) > ImageManager.displaySize
        drawing.isOpaque = options.isOpaque
        if deliveryMode != .highQualityFormat, source.isOriginal, drawing.crop == nil,
            drawing.box != nil
        {
            drawing.thumbnail = .whereLargeEnough
        }
        return drawing
    }
}

extension ImageDrawing {
    /// The size of a drawing of a source that the library knows the size of.
    func size(of source: ImageSource) -> PixelSize {
        box ?? ImageGeometry.region(crop, of: source.size).size
    }

    /// Whether its file is kept in the library's cache: whole pictures in sRGB of this size at most.
    var isKept: Bool {
        guard let box, crop == nil, !keepsProfile, thumbnail != .only else { return false }
        return max(box.width, box.height) <= 1024
    }

    /// What the cache has it by.
    func cacheKey(of source: ImageSource) -> SHA256Digest? {
        guard isKept, let file = source.key.file, let box else { return nil }
        let words = [
            file.hex, "\(box)", isExact ? "exact" : "fast", isOpaque ? "opaque" : "",
            thumbnail.rawValue, "\(HostVersion.rendering)", source.plan.baseFormat.rawValue,
        ]
        return SHA256Digest(bytes: SHA256.hash(data: Data(words.joined(separator: " ").utf8)))
    }
}
