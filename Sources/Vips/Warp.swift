// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks
import CVips

/// The state of a warped image, attached to that image.
final class Warp: Sendable {
    /// Keeps the source alive: libvips does not hold a reference to an image's inputs.
    private let source: Image
    /// The map of all bands, or those of red, green and blue.
    private let maps: [any WarpLines]
    private let edges: WarpEdges
    private let phases: [pixel_warp_phase]

    /// The size of blocks in pixels. The source pixels of a block fit in the second-level cache.
    private static let blockSide = Int(PIXEL_WARP_COLUMNS)
    /// The pixels of the source that a block may need, enough for a turn by any angle. A map that shrinks more gets
    /// smaller blocks.
    private static let capacity = 4 * blockSide * blockSide

    init(source: Image, maps: [any WarpLines], edges: WarpEdges) {
        self.source = source
        self.maps = maps
        self.edges = edges
        let count = Int(PIXEL_WARP_PHASES)
        phases = [pixel_warp_phase](unsafeUninitializedCapacity: count) { buffer, initialized in
            pixel_warp_fill(buffer.baseAddress)
            initialized = count
        }
    }

    /// Computes the valid area of an output region, block by block, from the input region of the same thread.
    func generate(
        _ output: UnsafeMutablePointer<VipsRegion>, from input: UnsafeMutablePointer<VipsRegion>
    ) -> Bool {
        let valid = output.pointee.valid
        let (right, bottom) = (Int(valid.left + valid.width), Int(valid.top + valid.height))
        let space = UnsafeMutableRawPointer.allocate(
            byteCount: Self.capacity * Int(PIXEL_WARP_SPACE), alignment: 16)
        defer { space.deallocate() }
        for top in stride(from: Int(valid.top), to: bottom, by: Self.blockSide) {
            for left in stride(from: Int(valid.left), to: right, by: Self.blockSide) {
                let block = PixelArea(
                    left: left, top: top, width: min(Self.blockSide, right - left),
                    height: min(Self.blockSide, bottom - top))
                guard compute(block, in: output, from: input, space) else { return false }
            }
        }
        return true
    }

    private func compute(
        _ block: PixelArea, in output: UnsafeMutablePointer<VipsRegion>,
        from input: UnsafeMutablePointer<VipsRegion>, _ space: UnsafeMutableRawPointer
    ) -> Bool {
        let all = UInt32(1) << source.bands - 1
        // Alpha is that of green.
        let bands = maps.count == 1 ? [all] : [0b0001, 0b1010 & all, 0b0100]
        return zip(bands, maps).allSatisfy {
            compute($0, of: block, $1, in: output, from: input, space)
        }
    }

    private func compute(
        _ bands: UInt32, of block: PixelArea, _ map: any WarpLines,
        in output: UnsafeMutablePointer<VipsRegion>,
        from input: UnsafeMutablePointer<VipsRegion>, _ space: UnsafeMutableRawPointer
    ) -> Bool {
        let lines = map.lines(of: block)
        let area = pixel_warp_source(lines, lines.count)
        // Four by four pixels, the area of one output pixel, always fit. Sides are below 2^30, and do not overflow.
        guard area.width * area.height <= Self.capacity else {
            return block.halves.allSatisfy {
                compute(bands, of: $0, map, in: output, from: input, space)
            }
        }
        let part = nearestPart(of: area)
        var needed = VipsRect(
            left: Int32(part.left), top: Int32(part.top), width: Int32(part.width),
            height: Int32(part.height))
        guard vips_region_prepare(input, &needed) == 0,
            let from = input.address(left: needed.left, top: needed.top),
            let to = output.address(left: Int32(block.left), top: Int32(block.top))
        else { return false }
        lines.withUnsafeBufferPointer { lines in
            phases.withUnsafeBufferPointer { phases in
                var block = pixel_warp_block(
                    phases: phases.baseAddress, lines: lines.baseAddress, rows: block.height,
                    columns: block.width, lines_per_row: lines.count / block.height,
                    bands: source.bands, bytes_per_sample: source.format.size, area: area,
                    part: part, source: from, source_bytes_per_row: Int(input.pointee.bpl),
                    repeats_edges: edges == .repeated, space: space, destination: to,
                    destination_bytes_per_row: Int(output.pointee.bpl), stored_bands: bands)
                pixel_warp(&block, PIXEL_WARP_BEST)
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

extension PixelArea {
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
