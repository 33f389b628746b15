// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

extension BasePicture {
    /// The working image for somebody who looks at it, reduced as a drawing says. Lazy, and read once, from
    /// top to bottom.
    ///
    /// - Parameters:
    ///   - size: The picture's own.
    ///   - settled: Computes a picture that is to be turned, and gives it in memory.
    func drawn(
        _ drawing: ImageDrawing, of size: PixelSize,
        settled: (Image) throws(RunnerFailure) -> Image
    ) throws(RunnerFailure) -> Image {
        guard let decoder else {
            let image = try fullSize(access: .sequential)
            return try reduced(image, Reduction(drawing, of: size))
        }
        let header = try decoder.header()
        if drawing.thumbnail == .whereLargeEnough, drawing.crop == nil,
            let thumbnail = try sufficientThumbnail(drawing, header, by: decoder, of: size)
        {
            return thumbnail
        }
        var reduction = Reduction(drawing, of: size)
        reduction.target == size ? decodes.countFullSize() : decodes.countReduced()
        let orientation = decoder.pendingOrientation(header)
        // Turning needs the whole picture in memory, so it comes last, when that is small; a crop is of the
        // picture held upright.
        guard drawing.crop == nil else {
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
            return try wrapping("draw the picture", code: .badInput) {
                try image.copying { $0.remove("orientation") }
            }
        }
        return try turned(try settled(image), orientation, by: decoder)
    }

    /// The thumbnail inside the file, upright, where it has the picture's shape; nil where there is none
    /// such.
    ///
    /// - Parameter size: The picture's own.
    func embeddedThumbnail(
        _ drawing: ImageDrawing, of size: PixelSize
    ) throws(RunnerFailure) -> Image? {
        guard let decoder else { return nil }
        let header = try decoder.header()
        let reduction = Reduction(drawing, of: size)
        if let thumbnail = try decoder.heifThumbnail(of: header, for: drawing) {
            return try reduced(try WorkingColor.convert(thumbnail), reduction)
        }
        guard let thumbnail = decoder.exifThumbnail(of: header) else { return nil }
        let colored = try wrapping("draw the thumbnail", code: .badInput) {
            try thumbnail.copying { metadata in
                // It is in the colour space of its picture.
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
            try wrapping("draw the thumbnail", code: .badInput) { try image.copiedToMemory() },
            orientation, by: decoder)
    }

    /// The same of a working image that steps have made.
    static func drawn(
        _ drawing: ImageDrawing, from image: Image
    ) throws(RunnerFailure) -> Image {
        try wrapping("reduce the picture", code: .extensionFailed) {
            try image.reduced(Reduction(drawing, of: image.size))
        }
    }

    /// The thumbnail, where it is as large as what is wanted. That of EXIF is a coarse one, and not for an
    /// exact size.
    private func sufficientThumbnail(
        _ drawing: ImageDrawing, _ header: Image, by decoder: Decoder, of size: PixelSize
    ) throws(RunnerFailure) -> Image? {
        let reduction = Reduction(drawing, of: size)
        if let thumbnail = try decoder.heifThumbnail(of: header, for: drawing) {
            return try reduced(try WorkingColor.convert(thumbnail), reduction)
        }
        guard !drawing.isExact, let thumbnail = try embeddedThumbnail(drawing, of: size),
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
        _ image: Image, _ reduction: Reduction
    ) throws(RunnerFailure) -> Image {
        try wrapping("reduce the picture", code: .badInput) { try image.reduced(reduction) }
    }
}

/// How far a picture, or a part of it, is reduced.
private struct Reduction {
    let crop: NormalizedRect?
    /// The size of the part, before it is reduced.
    private let part: PixelSize
    /// What it is reduced to: exactly, or by whole numbers to no less than this.
    let target: PixelSize
    let isExact: Bool

    /// - Parameter size: The picture's own.
    init(_ drawing: ImageDrawing, of size: PixelSize) {
        let part = ImageGeometry.region(drawing.crop, of: size).size
        self.init(
            crop: drawing.crop, part: part,
            target: ImageGeometry.target(drawing.box, of: part),
            isExact: drawing.isExact)
    }

    private init(crop: NormalizedRect?, part: PixelSize, target: PixelSize, isExact: Bool) {
        self.crop = crop
        self.part = part
        self.target = target
        self.isExact = isExact
    }

    /// The same of the whole picture as it lies before a quarter turn.
    var transposed: Reduction {
        Reduction(
            crop: nil, part: part.transposed, target: target.transposed, isExact: isExact)
    }

    /// How far a decoder may reduce. What is filtered to an exact size is left twice as large, as
    /// vips_thumbnail() does: a decoder's own reduction sharpens.
    var decoderFactor: Int {
        let factor = ImageGeometry.wholeReduction(from: part, to: target)
        return isExact ? factor / 2 : factor
    }
}

extension PixelSize {
    fileprivate var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// The same, no side longer than the other size's.
    fileprivate func limited(to other: PixelSize) -> PixelSize {
        PixelSize(width: min(width, other.width), height: min(height, other.height))
    }
}

extension Image {
    /// The working image cropped and reduced; of one that a decoder has reduced already, the rest.
    fileprivate func reduced(_ reduction: Reduction) throws -> Image {
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

    /// The drawing's colours and depth.
    func colored(_ drawing: ImageDrawing) throws -> Image {
        var image = self
        if !drawing.keepsProfile {
            if let profile = image.blob(ICCProfile.field) {
                if try NamedProfile.bytes(.sRGB, original: nil) != profile {
                    image = try WorkingColor.toSRGB(image, ["embedded": true])
                }
                image = try image.copying { $0.remove(ICCProfile.field) }
            }
            image = try image.scaled(toBits: 8)
        }
        guard drawing.isOpaque, image.bands == 4 else { return image }
        return try image.converted(
            to: PixelFormat(of: image) == .rgba16 ? .rgb16 : .rgb8, background: 1)
    }
}
