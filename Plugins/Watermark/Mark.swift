// SPDX-License-Identifier: Apache-2.0

import CWatermark
import EditingExtensionAPI
import PictureLight
import Synchronization

/// A mark with the size and the colours that it has in a picture.
struct Mark: Sendable {
    /// An RGBA image of 16 bits with straight alpha, encoded in the picture's profile.
    private let image: Image
    /// The positions of the mark's copies.
    private let across: wm_copies
    private let down: wm_copies

    /// The maximum number of pixels of a mark that is kept in memory. To limit the memory, a larger mark is computed
    /// whenever it is blended.
    private static let mostKeptPixels = 4_000_000

    /// Returns the mark for a picture.
    ///
    /// - Parameters:
    ///   - isFrame: Whether the picture is a frame of a video. The mark is then kept for the next frame.
    ///   - file: Returns the bytes of the image file.
    static func of(
        _ watermark: Watermark, on picture: Image, isFrame: Bool,
        file: () throws -> UnsafeRawBufferPointer
    ) throws -> Mark {
        guard isFrame else { return try Mark(watermark, on: picture, file: file) }
        let key = FrameKey(
            watermark: watermark, width: picture.width, height: picture.height,
            profile: RGBProfile(of: picture))
        if let mark = cache.withLock({ $0?.key == key ? $0?.mark : nil }) { return mark }
        let mark = try Mark(watermark, on: picture, file: file)
        cache.withLock { $0 = (key, mark) }
        return mark
    }

    /// Returns a picture with this mark blended into it. The result is lazy.
    func composited(over picture: Image) throws -> Image {
        var result: UnsafeMutablePointer<VipsImage>?
        guard
            wm_image(picture.pointer, image.pointer, across, down, &result) == 0,
            let result
        else { throw VipsError.last(in: "watermark") }
        return Image(taking: result)
    }

    private init(
        _ watermark: Watermark, on picture: Image, file: () throws -> UnsafeRawBufferPointer
    ) throws {
        let size = (width: picture.width, height: picture.height)
        let layout: MarkLayout
        var mark: Image
        if watermark.image.isEmpty {
            let mask = try TextMask(watermark, picture: size)
            layout = MarkLayout(
                watermark, natural: (mask.image.width, mask.image.height), unit: mask.unit,
                picture: size)
            mark = try Self.colored(mask.image, watermark, layout, on: picture)
        } else {
            let decoded = try MarkImage.decoded(file())
            layout = MarkLayout(
                watermark, natural: (decoded.width, decoded.height),
                unit: Double(decoded.height), picture: size)
            mark = try decoded.converted(to: RGBProfile(of: picture))
                .scaled(width: layout.width, height: layout.height, opacity: watermark.opacity)
        }
        if watermark.angle != 0 {
            mark = try mark.rotated(
                watermark.angle, width: layout.boxWidth, height: layout.boxHeight)
        }
        image = try mark.computedInMemory(upTo: Self.mostKeptPixels)
        let pitch = watermark.tile ? layout.pitch : (across: 0, down: 0)
        across = wm_copies(start: Int32(layout.left), pitch: pitch.across)
        down = wm_copies(start: Int32(layout.top), pitch: pitch.down)
    }

    /// Returns an RGBA image of the text's colour, whose opacity is given by a mask.
    private static func colored(
        _ mask: Image, _ watermark: Watermark, _ layout: MarkLayout, on picture: Image
    ) throws -> Image {
        let color = try SRGBColor(watermark.color, parameter: "color")
        let alpha = try mask.multiplied(by: [257 * color.alpha * watermark.opacity])
            .resized(width: layout.width, height: layout.height)
        let levels = try color.values(inProfileOf: picture).map { ($0 * 65535).rounded() }
        let plain = try alpha.applying(
            "linear", ["a": [0, 0, 0], "b": .doubles(levels)]
        ).applying("cast", ["format": "ushort"])
        return try plain.applying("bandjoin", ["in": .images([plain, alpha])])
            .applying("copy", ["interpretation": "rgb16"])
    }

    /// The values on which the mark of a frame depends.
    private struct FrameKey: Hashable {
        let watermark: Watermark
        let width: Int
        let height: Int
        let profile: RGBProfile
    }

    private static let cache = Mutex<(key: FrameKey, mark: Mark)?>(nil)
}
