// SPDX-License-Identifier: Apache-2.0

import Vips

/// The Swift code of docs/guides/pixels.md, kept here so that it compiles. A test compares both.
struct Fade: PlanarPixelKernel {
    func transform<Sample>(_ block: PixelBlock<Sample>)
    where Sample: FixedWidthInteger & UnsignedInteger & Sendable {
        for band in 0..<min(3, block.bands) {
            let numbers = block[band]
            for pixel in 0..<block.count {
                numbers[pixel] = numbers[pixel] &- numbers[pixel] &>> 2 &+ Sample.max &>> 3
            }
        }
    }
}

extension Snippets {
    static func faded(_ image: Image) throws -> Image {
        let faded = try image.mapping(Fade())
        return faded
    }

    static func warmer(_ image: Image) throws -> Image {
        let warm = try image.mapping(ColorMatrix([1.1, 0, 0, 0, 1, 0, 0, 0, 0.9]))
        return warm
    }

    static func moved(_ image: Image) throws -> Image {
        let map = AffineMap(xx: 1, xy: 0, x: -0.5, yx: 0, yy: 1, y: 0)
        let moved = try image.warped(by: map, width: image.width, height: image.height)
        return moved
    }

    static func sharpened(_ image: Image) throws -> Image {
        let mask = try Image(matrix: [[0, -1, 0], [-1, 8, -1], [0, -1, 0]], scale: 4)
        let sharp = try image.applying("conv", ["mask": .image(mask)])
        return sharp
    }

    static func swapped(_ image: Image) throws -> Image {
        var rows: [[Double]] = [[0, 1, 0], [1, 0, 0], [0, 0, 1]]
        if image.bands == 4 { rows = rows.map { $0 + [0] } + [[0, 0, 0, 1]] }
        let swapped = try image.applying("recomb", ["m": .image(Image(matrix: rows))])
        return swapped
    }

    static func inverted(_ image: Image) throws -> Image {
        let curve = try Image(
            samples: (0...255).map { UInt8(255 - $0) }, width: 256, height: 1, bands: 1)
        let inverted = try image.applying("maplut", ["lut": .image(curve)])
        return inverted
    }
}
