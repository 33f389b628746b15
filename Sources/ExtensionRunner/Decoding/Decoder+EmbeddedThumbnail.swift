// SPDX-License-Identifier: Apache-2.0

import EditingModel
import ImageMetadata
import RunnerProtocol
import Vips

/// The thumbnails that cameras embed in their files.
extension Decoder {
    /// Returns the thumbnail of a HEIF picture. `nil` if it was not requested, is missing or too small, or differs
    /// from the picture in aspect ratio: such thumbnails have bars or show another part.
    func heifThumbnail(
        of header: Image, for display: DisplaySettings
    ) throws(RunnerFailure) -> Image? {
        guard format == .heic || format == .avif, display.thumbnail != .unused,
            let thumbnail = try? reload(header, ["thumbnail": true]),
            thumbnail.size != header.size, Self.hasSameAspectRatio(thumbnail.size, header.size)
        else { return nil }
        let target = ImageGeometry.target(display.box, of: header.size)
        let isLargeEnough =
            thumbnail.width >= target.width && thumbnail.height >= target.height
        guard isLargeEnough || display.thumbnail == .only else { return nil }
        // Damaged thumbnails are ignored.
        return try? thumbnail.copiedToMemory()
    }

    /// Returns the EXIF thumbnail without rotation; `nil` if there is none in the aspect ratio of the picture.
    func exifThumbnail(of header: Image) -> Image? {
        guard let data = header.blob("jpeg-thumbnail-data"),
            let decoder = try? Decoder(bytes: Bytes(data)),
            decoder.format == .jpeg, let thumbnail = try? decoder.sequential(),
            Self.hasSameAspectRatio(thumbnail.size, header.size)
        else { return nil }
        return try? thumbnail.copiedToMemory()
    }

    /// Whether a thumbnail has the aspect ratio of the picture, within the rounding of its sides.
    static func hasSameAspectRatio(_ thumbnail: PixelSize, _ picture: PixelSize) -> Bool {
        guard thumbnail.width <= picture.width, thumbnail.height <= picture.height else {
            return false
        }
        let scale = Double(thumbnail.width) / Double(picture.width)
        let height = Double(picture.height) * scale
        // The sides may be rounded up or down, or to even numbers.
        return abs(height - Double(thumbnail.height)) <= 1 + scale * 8
            || abs(height - Double(thumbnail.height)) <= height / 100
    }
}
