// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// The small pictures that cameras put into files beside the picture itself.
extension Decoder {
    /// The thumbnail of a HEIF picture; nil where the drawing does not want it, there is none, it is too
    /// small, or it has another shape than the picture: bars, or another part.
    func heifThumbnail(
        of header: Image, for drawing: ImageDrawing
    ) throws(RunnerFailure) -> Image? {
        guard format == .heic || format == .avif, drawing.thumbnail != .unused,
            let thumbnail = try? reload(header, ["thumbnail": true]),
            thumbnail.size != header.size, Self.isAlike(thumbnail.size, header.size)
        else { return nil }
        let wanted = ImageGeometry.target(drawing.box, of: header.size)
        let isLargeEnough =
            thumbnail.width >= wanted.width && thumbnail.height >= wanted.height
        guard isLargeEnough || drawing.thumbnail == .only else { return nil }
        // A damaged one is none.
        return try? thumbnail.copiedToMemory()
    }

    /// The thumbnail of EXIF, as it lies there; nil where there is none in the picture's shape.
    func exifThumbnail(of header: Image) -> Image? {
        guard let data = header.blob("jpeg-thumbnail-data"),
            let decoder = try? Decoder(bytes: Bytes(data)),
            decoder.format == .jpeg, let thumbnail = try? decoder.sequential(),
            Self.isAlike(thumbnail.size, header.size)
        else { return nil }
        return try? thumbnail.copiedToMemory()
    }

    /// Whether a size is another one reduced, but for the rounding of its sides.
    static func isAlike(_ thumbnail: PixelSize, _ picture: PixelSize) -> Bool {
        guard thumbnail.width <= picture.width, thumbnail.height <= picture.height else {
            return false
        }
        let scale = Double(thumbnail.width) / Double(picture.width)
        let height = Double(picture.height) * scale
        // Sides are rounded up or down, some to even numbers.
        return abs(height - Double(thumbnail.height)) <= 1 + scale * 8
            || abs(height - Double(thumbnail.height)) <= height / 100
    }
}
