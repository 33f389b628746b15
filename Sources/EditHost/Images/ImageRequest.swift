// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

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
            display.thumbnail = .ifLargeEnough
        }
        return display
    }
}
