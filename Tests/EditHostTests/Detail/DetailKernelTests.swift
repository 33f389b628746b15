// SPDX-License-Identifier: Apache-2.0

import CDetail
import CPictureLight
import TestSupport
import Testing

/// The arithmetic of Detail gives the same bytes for each processor and each division into blocks.
@Suite("kernel of Detail")
struct DetailKernelTests {
    /// An edit with everything, freed with `dt_edit_free`.
    private static func edit() throws -> UnsafeMutablePointer<dt_edit> {
        let edit = try #require(dt_edit_make())
        edit.pointee.luma_noise = (4e-4, 3e-5, 6e-6, 2e-6, 1e-6)
        edit.pointee.color_noise = (9e-4, 8e-5, 7e-6, 3e-6, 1e-6)
        edit.pointee.gaussian = (0.4, 0.2, 0.07, 0.02, 0.01, 0, 0, 0, 0, 0)
        edit.pointee.radius = 4
        edit.pointee.sharpening = 1.7
        edit.pointee.halo = 0.1
        edit.pointee.flatness = 0.0004
        edit.pointee.definition = 0.5
        let luma = (0..<150 * 2).map { Float($0 * 37 % 101) / 101 }
        try #require(pl_base_set(&edit.pointee.base, luma, 150, 2, 4, 1, 0.01))
        edit.pointee.base.columns_per_pixel = 4
        edit.pointee.base.rows_per_pixel = 40
        return edit
    }

    @Test("with and without AVX2, and in all blocks, the bytes are the same", arguments: [3, 4])
    func bytes(bands: Int) throws {
        let edit = try Self.edit()
        defer { dt_edit_free(edit) }
        try Self.expectSameBytes(UInt8.self, edit, bands: bands)
        try Self.expectSameBytes(UInt16.self, edit, bands: bands)
    }

    private static func expectSameBytes<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, _ edit: UnsafeMutablePointer<dt_edit>, bands: Int
    ) throws {
        let (width, height) = (530, 70)
        var random = SeededGenerator(seed: 7)
        let source = (0..<width * height * bands).map { _ in
            Sample.random(in: 0...Sample.max, using: &random)
        }
        func edited(_ columns: Int, _ rows: Int, _ block: dt_block_function) -> [Sample] {
            self.edited(source, edit, width, bands, columns, rows, block)
        }
        let whole = edited(Int(DT_WIDTH), Int(DT_HEIGHT), dt_block)
        #expect(whole != source)
        #expect(edited(Int(DT_WIDTH), Int(DT_HEIGHT), dt_plain_block) == whole)
        #expect(edited(299, 51, dt_block) == whole)
    }

    /// Edits a picture in blocks. Each gets only the pixels that it needs.
    private static func edited<Sample: FixedWidthInteger>(
        _ source: [Sample], _ edit: UnsafeMutablePointer<dt_edit>, _ width: Int, _ bands: Int,
        _ columns: Int, _ rows: Int, _ block: dt_block_function
    ) -> [Sample] {
        let height = source.count / width / bands
        let reach = Int(dt_reach(edit))
        let rowSize = width * bands * MemoryLayout<Sample>.size
        var result = [Sample](repeating: 0, count: source.count)
        var scratch = [Float](repeating: .nan, count: dt_scratch_count())
        for top in stride(from: 0, to: height, by: rows) {
            for left in stride(from: 0, to: width, by: min(columns, Int(DT_WIDTH))) {
                let size = (
                    min(columns, Int(DT_WIDTH), width - left), min(rows, height - top)
                )
                let first = (x: max(left - reach, 0), y: max(top - reach, 0))
                let end = (
                    x: min(left + size.0 + reach, width), y: min(top + size.1 + reach, height)
                )
                source.withUnsafeBufferPointer { from in
                    result.withUnsafeMutableBufferPointer { to in
                        var pixels = dt_source(
                            pixels: from.baseAddress.map {
                                $0 + (first.y * width + first.x) * bands
                            },
                            stride: rowSize, left: Int32(first.x), top: Int32(first.y),
                            width: Int32(end.x - first.x), height: Int32(end.y - first.y),
                            is_byte: Sample.bitWidth == 8, bands: Int32(bands))
                        block(
                            edit, &pixels, &scratch,
                            to.baseAddress.map { $0 + (top * width + left) * bands }, rowSize,
                            Int32(left), Int32(top), Int32(size.0), Int32(size.1))
                    }
                }
            }
        }
        return result
    }
}
