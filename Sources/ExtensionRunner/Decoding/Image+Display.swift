// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

extension Image {
    /// Returns the working image cropped and reduced. A reduction that a decoder has already applied is completed.
    func reduced(_ reduction: DisplayReduction) throws -> Image {
        let part = try part(reduction.crop)
        if reduction.isExact || part.width < reduction.target.width
            || part.height < reduction.target.height
        {
            return try part.resized(to: reduction.target.limited(to: part.size))
        }
        let reduced = try part.blockReduced(
            by: ImageGeometry.wholeReduction(from: part.size, to: reduction.target))
        let isCloseEnough =
            reduced.width < 2 * reduction.target.width
            && reduced.height < 2 * reduction.target.height
        return isCloseEnough ? reduced : try reduced.resized(to: reduction.target)
    }

    /// Converts the image to the colours and depth of the settings.
    func colored(_ display: DisplaySettings) throws -> Image {
        var image = self
        if !display.keepsProfile {
            if let profile = image.blob(ICCProfile.field) {
                if try NamedProfile.bytes(.sRGB, original: nil) != profile {
                    image = try WorkingColor.toSRGB(image, ["embedded": true])
                }
                image = try image.copying { $0.remove(ICCProfile.field) }
            }
            image = try image.scaled(toBits: 8)
        }
        guard display.isOpaque, image.bands == 4 else { return image }
        return try image.converted(
            to: PixelFormat(of: image) == .rgba16 ? .rgb16 : .rgb8, background: 1)
    }
}
