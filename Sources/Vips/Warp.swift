// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks
import CVips

/// The state of a warped image, attached to that image.
final class Warp: Sendable {
    /// Keeps the source alive: libvips does not hold a reference to an image's inputs.
    private let source: Image
    private let lines: any WarpLines
    private let edges: WarpEdges

    /// The size of blocks in pixels. The source pixels of a block fit in the second-level cache.
    private static let blockSide = Int(PIXEL_WARP_COLUMNS)
    /// The pixels of the source that a block may need, enough for a turn by any angle. A map that shrinks more gets
    /// smaller blocks.
    private static let capacity = 4 * blockSide * blockSide
    /// The size of tiles in pixels, which is that of libvips. The source of a tile is computed at once: what its blocks
    /// share is not computed again.
    private static let tileSide = 2 * blockSide

    private static nonisolated(unsafe) let weights = {
        let weights = UnsafeMutablePointer<pixel_warp_weights>.allocate(capacity: 1)
        pixel_warp_fill(weights)
        return UnsafePointer(weights)
    }()

    init(source: Image, lines: any WarpLines, edges: WarpEdges) {
        self.source = source
        self.lines = lines
        self.edges = edges
    }

    /// A block of the output, and where it is in the source: as in `pixel_warp_block`.
    private struct Block {
        let pixels: PixelArea
        let maps: Int
        var bands = UInt32.max
        var lines: [pixel_warp_line] = []
        var positions: [pixel_warp_position] = []
        let area: pixel_warp_area

        /// Whether the area fits into the working memory.
        var fits: Bool { area.width * area.height <= Warp.capacity }

        init(_ pixels: PixelArea, positions: [pixel_warp_position], maps: Int) {
            (self.pixels, self.positions, self.maps) = (pixels, positions, maps)
            area = pixel_warp_cell_source(positions, positions.count)
        }

        init(_ pixels: PixelArea, lines: [pixel_warp_line], maps: Int) {
            (self.pixels, self.lines, self.maps) = (pixels, lines, maps)
            area = pixel_warp_source(lines, lines.count)
        }
    }

    private func block(_ pixels: PixelArea) -> Block {
        let positions = lines.positions(of: pixels)
        if !positions.isEmpty {
            let block = Block(pixels, positions: positions, maps: lines.maps)
            if block.fits { return block }
        }
        // Without the rest of the cells at its edges, the block may need a smaller area.
        return Block(pixels, lines: lines.lines(of: pixels), maps: lines.maps)
    }

    /// The number of pixels of a block whose colours are separated if they do not fit together. Larger blocks are halved
    /// first: most maps that shrink a picture need smaller blocks for each colour, too.
    private static let separablePixels = 256

    /// Splits a block that does not fit into smaller blocks: one for each colour, or two halves.
    private func parts(of block: Block) -> [Block] {
        if block.maps == 3, block.pixels.width * block.pixels.height <= Self.separablePixels {
            let colors = colors(of: block)
            if colors.allSatisfy(\.fits) { return colors }
        }
        return block.pixels.halves.map(self.block)
    }

    /// The colours of a block that has lines.
    private func colors(of block: Block) -> [Block] {
        let count = block.lines.count / 3
        // Alpha has the map of green.
        return zip(0..<3, [0b0001, 0b1010, 0b0100] as [UInt32]).map { map, bands in
            var part = Block(
                block.pixels, lines: Array(block.lines[map * count..<(map + 1) * count]), maps: 1)
            part.bands = bands
            return part
        }
    }

    /// Computes the valid area of an output region, tile by tile, from the input region of the same thread.
    func generate(
        _ output: UnsafeMutablePointer<VipsRegion>, from input: UnsafeMutablePointer<VipsRegion>
    ) -> Bool {
        let valid = output.pointee.valid
        let whole = PixelArea(
            left: Int(valid.left), top: Int(valid.top), width: Int(valid.width),
            height: Int(valid.height))
        let space = UnsafeMutableRawPointer.allocate(
            byteCount: Self.capacity * Int(PIXEL_WARP_SPACE), alignment: 16)
        defer { space.deallocate() }
        return whole.parts(Self.tileSide).allSatisfy { tile in
            let blocks = tile.parts(Self.blockSide).map(block)
            return prepare(blocks, in: input)
                && blocks.allSatisfy { compute($0, in: output, from: input, space) }
        }
    }

    /// Computes the source of blocks that are next to each other, unless it is much larger than the blocks.
    private func prepare(_ blocks: [Block], in input: UnsafeMutablePointer<VipsRegion>) -> Bool {
        let left = blocks.map(\.area.left).min() ?? 0, top = blocks.map(\.area.top).min() ?? 0
        let right = blocks.map { $0.area.left + $0.area.width }.max() ?? 0
        let bottom = blocks.map { $0.area.top + $0.area.height }.max() ?? 0
        let area = pixel_warp_area(left: left, top: top, width: right - left, height: bottom - top)
        guard area.width * area.height <= blocks.count * Self.capacity else { return true }
        var needed = VipsRect(nearestPart(of: area))
        return vips_region_prepare(input, &needed) == 0
    }

    private func compute(
        _ block: Block, in output: UnsafeMutablePointer<VipsRegion>,
        from input: UnsafeMutablePointer<VipsRegion>, _ space: UnsafeMutableRawPointer
    ) -> Bool {
        // Four by four pixels, the area of one colour of a pixel, always fit. Sides are below 2^30, and do not overflow.
        guard block.fits else {
            return parts(of: block).allSatisfy { compute($0, in: output, from: input, space) }
        }
        let part = nearestPart(of: block.area)
        var needed = VipsRect(part)
        // Keeps pixels that have been computed.
        guard vips_region_prepare(input, &needed) == 0,
            let from = input.address(left: needed.left, top: needed.top),
            let to = output.address(left: Int32(block.pixels.left), top: Int32(block.pixels.top))
        else { return false }
        block.lines.withUnsafeBufferPointer { lines in
            block.positions.withUnsafeBufferPointer { positions in
                var arguments = pixel_warp_block(
                    weights: Self.weights, maps: block.maps, stored_bands: block.bands,
                    rows: block.pixels.height, columns: block.pixels.width,
                    lines: lines.isEmpty ? nil : lines.baseAddress,
                    lines_per_row: lines.count / (block.maps * block.pixels.height),
                    positions: positions.baseAddress, left: block.pixels.left,
                    top: block.pixels.top, bands: source.bands,
                    bytes_per_sample: source.format.size, area: block.area, part: part,
                    source: from, source_bytes_per_row: Int(input.pointee.bpl),
                    repeats_edges: edges == .repeated, space: space, destination: to,
                    destination_bytes_per_row: Int(output.pointee.bpl))
                pixel_warp(&arguments, PIXEL_WARP_BEST)
            }
        }
        return true
    }

    /// The part of an area that lies in the source, or the pixels next to it if there is none.
    private func nearestPart(of area: pixel_warp_area) -> pixel_warp_area {
        let (columns, rows) = (Int64(source.width), Int64(source.height))
        let left = max(0, min(area.left, columns - 1)), top = max(0, min(area.top, rows - 1))
        let right = max(1, min(area.left + area.width, columns))
        let bottom = max(1, min(area.top + area.height, rows))
        return pixel_warp_area(left: left, top: top, width: right - left, height: bottom - top)
    }
}

extension VipsRect {
    /// Creates the rectangle of an area within an image.
    fileprivate init(_ area: pixel_warp_area) {
        self.init(
            left: Int32(area.left), top: Int32(area.top), width: Int32(area.width),
            height: Int32(area.height))
    }
}

extension PixelArea {
    /// The parts of a side, row by row. Those at the right and the bottom may be smaller.
    fileprivate func parts(_ side: Int) -> [PixelArea] {
        stride(from: top, to: top + height, by: side).flatMap { row in
            stride(from: left, to: left + width, by: side).map { column in
                PixelArea(
                    left: column, top: row, width: min(side, left + width - column),
                    height: min(side, top + height - row))
            }
        }
    }

    /// The two halves, divided along the longer side.
    fileprivate var halves: [PixelArea] {
        width > height
            ? [
                PixelArea(left: left, top: top, width: width / 2, height: height),
                PixelArea(
                    left: left + width / 2, top: top, width: width - width / 2, height: height),
            ]
            : [
                PixelArea(left: left, top: top, width: width, height: height / 2),
                PixelArea(
                    left: left, top: top + height / 2, width: width, height: height - height / 2),
            ]
    }
}
