// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

extension BasePicture {
    /// Returns the working image for viewing, reduced as requested. It is lazy and has sequential access.
    ///
    /// - Parameters:
    ///   - size: The full size of the picture.
    ///   - settled: Computes an image that must be rotated into memory.
    func rendered(
        _ display: DisplaySettings, of size: PixelSize,
        settled: (Image) throws(RunnerFailure) -> Image
    ) throws(RunnerFailure) -> Image {
        guard let decoder else {
            let image = try fullSize(access: .sequential)
            return try reduced(image, DisplayReduction(display, of: size))
        }
        let header = try decoder.header()
        if display.thumbnail == .whereLargeEnough, display.crop == nil,
            let thumbnail = try sufficientThumbnail(display, header, by: decoder, of: size)
        {
            return thumbnail
        }
        var reduction = DisplayReduction(display, of: size)
        reduction.target == size ? decodes.countFullSize() : decodes.countReduced()
        let orientation = decoder.pendingOrientation(header)
        // Rotation needs the whole picture in memory, so it comes last, after the reduction. A crop refers to the
        // upright picture, so it comes after the rotation.
        guard display.crop == nil else {
            let decoded = try decoder.reduced(
                header, by: reduction.decoderFactor,
                access: orientation > 2 ? .random : .sequential)
            return try reduced(try working(try decoder.turned(decoded)), reduction)
        }
        if orientation > 4 { reduction = reduction.transposed }
        let decoded = try decoder.reduced(
            header, by: reduction.decoderFactor, access: .sequential)
        let image = try reduced(try working(decoded), reduction)
        guard orientation > 1 else {
            return try wrapping("render the picture", code: .badInput) {
                try image.copying { $0.remove("orientation") }
            }
        }
        return try turned(try settled(image), orientation, by: decoder)
    }

    /// Returns the embedded thumbnail, upright, `nil` if there is none in the aspect ratio of the picture.
    ///
    /// - Parameter size: The full size of the picture.
    func embeddedThumbnail(
        _ display: DisplaySettings, of size: PixelSize
    ) throws(RunnerFailure) -> Image? {
        guard let decoder else { return nil }
        let header = try decoder.header()
        let reduction = DisplayReduction(display, of: size)
        if let thumbnail = try decoder.heifThumbnail(of: header, for: display) {
            return try reduced(try WorkingColor.convert(thumbnail), reduction)
        }
        guard let thumbnail = decoder.exifThumbnail(of: header) else { return nil }
        let colored = try wrapping("render the thumbnail", code: .badInput) {
            try thumbnail.copying { metadata in
                // The thumbnail shares the colour space of the picture.
                guard let profile = header.blob(ICCProfile.field), thumbnail.bands == 3 else {
                    return
                }
                metadata.set(ICCProfile.field, to: profile)
            }
        }
        let orientation = decoder.pendingOrientation(header)
        let image = try reduced(
            try WorkingColor.convert(colored), orientation > 4 ? reduction.transposed : reduction)
        return try turned(
            try wrapping("render the thumbnail", code: .badInput) { try image.copiedToMemory() },
            orientation, by: decoder)
    }

    /// Returns the image for viewing of a working image that steps have rendered.
    static func rendered(
        _ display: DisplaySettings, from image: Image
    ) throws(RunnerFailure) -> Image {
        try wrapping("reduce the picture", code: .extensionFailed) {
            try image.reduced(DisplayReduction(display, of: image.size))
        }
    }

    /// Returns the thumbnail if it is at least as large as requested. EXIF thumbnails are coarse and not used for
    /// exact sizes.
    private func sufficientThumbnail(
        _ display: DisplaySettings, _ header: Image, by decoder: Decoder, of size: PixelSize
    ) throws(RunnerFailure) -> Image? {
        let reduction = DisplayReduction(display, of: size)
        if let thumbnail = try decoder.heifThumbnail(of: header, for: display) {
            return try reduced(try WorkingColor.convert(thumbnail), reduction)
        }
        guard !display.isExact, let thumbnail = try embeddedThumbnail(display, of: size),
            thumbnail.width >= reduction.target.width,
            thumbnail.height >= reduction.target.height
        else { return nil }
        return thumbnail
    }

    private func turned(
        _ image: Image, _ orientation: Int, by decoder: Decoder
    ) throws(RunnerFailure) -> Image {
        let marked = try wrapping("turn the picture upright", code: .badInput) {
            try image.copying { $0.set("orientation", to: orientation) }
        }
        return try decoder.turned(marked)
    }

    private func reduced(
        _ image: Image, _ reduction: DisplayReduction
    ) throws(RunnerFailure) -> Image {
        try wrapping("reduce the picture", code: .badInput) { try image.reduced(reduction) }
    }
}

/// The reduction of a picture or a part of it.
private struct DisplayReduction {
    let crop: NormalizedRect?
    /// The size of the part before the reduction.
    private let part: PixelSize
    /// The size after the reduction. Exact, or the minimum size for a reduction by whole numbers.
    let target: PixelSize
    let isExact: Bool

    /// - Parameter size: The full size of the picture.
    init(_ display: DisplaySettings, of size: PixelSize) {
        let part = ImageGeometry.region(display.crop, of: size).size
        self.init(
            crop: display.crop, part: part,
            target: ImageGeometry.target(display.box, of: part),
            isExact: display.isExact)
    }

    private init(crop: NormalizedRect?, part: PixelSize, target: PixelSize, isExact: Bool) {
        self.crop = crop
        self.part = part
        self.target = target
        self.isExact = isExact
    }

    /// The reduction of the whole picture before a quarter turn.
    var transposed: DisplayReduction {
        DisplayReduction(
            crop: nil, part: part.transposed, target: target.transposed, isExact: isExact)
    }

    /// The maximum reduction by a decoder. Images that are filtered to an exact size are left twice as large, as in
    /// vips_thumbnail(), because the decoder's own reduction sharpens.
    var decoderFactor: Int {
        let factor = ImageGeometry.wholeReduction(from: part, to: target)
        return isExact ? factor / 2 : factor
    }
}

extension PixelSize {
    fileprivate var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// Returns this size with each side at most as long as that of the other size.
    fileprivate func limited(to other: PixelSize) -> PixelSize {
        PixelSize(width: min(width, other.width), height: min(height, other.height))
    }
}

extension Image {
    /// Returns the working image cropped and reduced. A reduction that a decoder has already applied is completed.
    fileprivate func reduced(_ reduction: DisplayReduction) throws -> Image {
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
