// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

extension BasePicture {
    /// Returns the working image for viewing, reduced as requested. It is lazy and has sequential access.
    ///
    /// - Parameters:
    ///   - size: The full size of the picture.
    ///   - computed: Computes an image that must be rotated into memory.
    func rendered(
        _ display: DisplaySettings, of size: PixelSize,
        computed: (Image) throws(RunnerFailure) -> Image
    ) throws(RunnerFailure) -> Image {
        guard let decoder else {
            let image = try fullSize(access: .sequential)
            return try reduced(image, DisplayReduction(display, of: size))
        }
        let header = try decoder.header()
        if display.thumbnail == .ifLargeEnough, display.crop == nil,
            let thumbnail = try sufficientThumbnail(display, header, by: decoder, of: size)
        {
            return thumbnail
        }
        var reduction = DisplayReduction(display, of: size)
        reduction.target == size ? decodes.countFullSize() : decodes.countReduced()
        let orientation = decoder.pendingOrientation(header)
        // Rotation needs the whole picture in memory, so it comes after the reduction. A crop refers to the upright
        // picture, so it comes after the rotation.
        guard display.crop == nil else {
            let decoded = try decoder.reduced(
                header, by: reduction.decoderFactor,
                access: orientation > 2 ? .random : .sequential)
            return try reduced(try workingImage(try decoder.rotated(decoded)), reduction)
        }
        if orientation > 4 { reduction = reduction.transposed }
        let decoded = try decoder.reduced(
            header, by: reduction.decoderFactor, access: .sequential)
        let image = try reduced(try workingImage(decoded), reduction)
        guard orientation > 1 else {
            return try wrapping("render the picture", code: .badInput) {
                try image.copying { $0.remove("orientation") }
            }
        }
        return try rotated(try computed(image), orientation, by: decoder)
    }

    /// Returns the embedded thumbnail, upright; `nil` if there is none in the aspect ratio of the picture.
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
        return try rotated(
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

    private func rotated(
        _ image: Image, _ orientation: Int, by decoder: Decoder
    ) throws(RunnerFailure) -> Image {
        let marked = try wrapping("turn the picture upright", code: .badInput) {
            try image.copying { $0.set("orientation", to: orientation) }
        }
        return try decoder.rotated(marked)
    }

    private func reduced(
        _ image: Image, _ reduction: DisplayReduction
    ) throws(RunnerFailure) -> Image {
        try wrapping("reduce the picture", code: .badInput) { try image.reduced(reduction) }
    }
}
