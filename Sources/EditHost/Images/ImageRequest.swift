// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

import Hashing

/// A request for a picture, with the default options filled in.
struct ImageRequest: Sendable {
    let assetIdentifier: String
    let targetSize: PixelSize
    let contentMode: ImageContentMode
    let options: ImageRequestOptions

    /// The delivery mode. A blocked caller gets the best picture.
    var deliveryMode: ImageRequestOptionsDeliveryMode {
        options.isSynchronous ? .highQualityFormat : options.deliveryMode
    }

    /// - Throws: `HostError` with `badRequest` if the size or the crop is invalid.
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

    /// Returns the normalised settings of the picture. Requests that one picture can serve have equal settings.
    func display(of source: DisplaySource) -> DisplaySettings {
        var display = DisplaySettings()
        let crop = options.normalizedCropRect
        display.crop = crop == .zero ? nil : crop
        let region = ImageGeometry.region(display.crop, of: source.size).size
        var size = region
        if options.resizeMode != .none {
            size = ImageGeometry.size(
                of: region, in: targetSize, fills: contentMode == .aspectFill)
        }
        if size != region {
            display.box = size
            display.isExact = options.resizeMode == .exact
        }
        display.keepsProfile =
            options.keepsColorProfile || max(size.width, size.height) > ImageManager.displaySize
        display.isOpaque = options.isOpaque
        if deliveryMode != .highQualityFormat, source.isOriginal, display.crop == nil,
            display.box != nil
        {
            display.thumbnail = .whereLargeEnough
        }
        return display
    }
}

extension DisplaySettings {
    /// Returns the size of a source rendered with these settings.
    func size(of source: DisplaySource) -> PixelSize {
        box ?? ImageGeometry.region(crop, of: source.size).size
    }

    /// Whether the file is kept in the library's cache: uncropped sRGB pictures of at most 1024 pixels.
    var isKept: Bool {
        guard let box, crop == nil, !keepsProfile, thumbnail != .only else { return false }
        return max(box.width, box.height) <= 1024
    }

    /// Returns the key of the picture in the cache, or `nil` if it is not kept there.
    func cacheKey(of source: DisplaySource) -> SHA256Digest? {
        guard isKept, let file = source.key.file, let box else { return nil }
        let words = [
            file.hex, "\(box)", isExact ? "exact" : "fast", isOpaque ? "opaque" : "",
            thumbnail.rawValue, "\(HostVersion.rendering)", source.plan.baseFormat.rawValue,
        ]
        return SHA256Digest(bytes: SHA256.hash(data: Data(words.joined(separator: " ").utf8)))
    }
}
