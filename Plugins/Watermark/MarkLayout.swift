// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Glibc

/// The size and position of a mark in a picture, in pixels from the top left.
struct MarkLayout {
    /// The size before the rotation.
    let width: Int
    let height: Int
    /// The size of the bounding box of the rotated mark.
    let boxWidth: Int
    let boxHeight: Int
    /// The position of the bounding box.
    let left: Int
    let top: Int
    /// The distance between the starts of tiles. It is not rounded, so that the tiles of a small preview are in the
    /// same positions as those of the full size.
    let pitch: (across: Double, down: Double)

    /// Lays out a mark.
    ///
    /// - Parameters:
    ///   - natural: The size of the rendered or decoded mark in pixels, at least 1 × 1.
    ///   - unit: The length in the mark that corresponds to `size`: the size of the font, or the height of the image.
    ///   - picture: The size of the picture in pixels.
    init(
        _ watermark: Watermark, natural: (width: Int, height: Int), unit: Double,
        picture: (width: Int, height: Int)
    ) {
        let shorter = Double(min(picture.width, picture.height))
        let margin = Int((watermark.margin * shorter).rounded())
        let room = (
            width: max(1, picture.width - 2 * margin), height: max(1, picture.height - 2 * margin)
        )
        let (across, down) = (Double(natural.width), Double(natural.height))
        let (cosine, sine) = Self.cosineAndSine(watermark.angle)
        let box = (
            width: across * abs(cosine) + down * abs(sine),
            height: across * abs(sine) + down * abs(cosine)
        )
        let scale = min(
            watermark.size * shorter / unit, Double(room.width) / box.width,
            Double(room.height) / box.height)
        width = max(1, Int((across * scale).rounded()))
        height = max(1, Int((down * scale).rounded()))
        pitch = (
            max(1, box.width * scale + watermark.margin * shorter),
            max(1, box.height * scale + watermark.margin * shorter)
        )
        let isTurned = watermark.angle != 0
        boxWidth = isTurned ? min(room.width, Int((box.width * scale).rounded(.up))) : width
        boxHeight = isTurned ? min(room.height, Int((box.height * scale).rounded(.up))) : height
        let (right, below) = (room.width - boxWidth, room.height - boxHeight)
        // If the margin is half of an odd side, it is rounded up, and would leave no space.
        left = min(
            margin + Int(Double(right) * watermark.position.horizontal), picture.width - boxWidth)
        top = min(
            margin + Int(Double(below) * watermark.position.vertical), picture.height - boxHeight)
    }

    /// Returns the cosine and the sine of an angle in degrees. They are exact for quarter turns.
    static func cosineAndSine(_ degrees: Double) -> (cosine: Double, sine: Double) {
        switch degrees {
        case 0: (1, 0)
        case 90: (0, 1)
        case -90: (0, -1)
        case 180, -180: (-1, 0)
        default: (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        }
    }
}
