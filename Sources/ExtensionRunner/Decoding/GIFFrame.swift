// SPDX-License-Identifier: Apache-2.0

import ImageMetadata
import Vips

/// The rectangle of the first frame of a GIF file (GIF89a, 20).
struct GIFFrame {
    let left: Int
    let top: Int
    let width: Int
    let height: Int

    /// Returns the first frame; `nil` if the file has none.
    static func first(in bytes: Bytes) -> GIFFrame? {
        guard let flags = bytes[10] else { return nil }
        var place = 13 + (flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1))
        for _ in 0..<maximumBlocks {
            switch bytes[place] {
            case 0x21:
                place += 2
                // Sub-blocks, each with its length, up to an empty one.
                while let length = bytes[place], length > 0 { place += 1 + Int(length) }
                place += 1
            case 0x2C:
                let numbers = (0..<4).compactMap {
                    bytes.number(place + 1 + $0 * 2, 2, bigEndian: false).map(Int.init)
                }
                guard numbers.count == 4 else { return nil }
                return GIFFrame(
                    left: numbers[0], top: numbers[1], width: numbers[2], height: numbers[3])
            default: return nil
            }
        }
        return nil
    }

    private static let maximumBlocks = 1 << 12

    /// Returns the picture with transparency outside the frame. libvips adds no alpha if no frame has a transparent
    /// colour.
    func transparentAround(_ image: Image) throws -> Image {
        let isWhole = left == 0 && top == 0 && width >= image.width && height >= image.height
        guard !isWhole, !image.hasAlpha, left < image.width, top < image.height, width > 0,
            height > 0
        else { return image }
        let black = try ImageOperation("black")
        try black.set("width", to: .integer(min(width, image.width - left)))
        try black.set("height", to: .integer(min(height, image.height - top)))
        try black.run()
        let alpha = try black.image()
            .applying("linear", ["a": 1.0, "b": 255.0, "uchar": true])
            .applying(
                "embed",
                [
                    "x": .integer(left), "y": .integer(top), "width": .integer(image.width),
                    "height": .integer(image.height),
                ])
        let join = try ImageOperation("bandjoin")
        try join.set("in", to: .images([image, alpha]))
        try join.run()
        return try join.image().copying { $0.setInterpretation(image.interpretation) }
    }
}
