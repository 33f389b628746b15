// SPDX-License-Identifier: Apache-2.0

import CLightAndColor
import CPictureLight
import TestSupport
import Testing

/// The arithmetic of Light and Color gives the same bytes for each processor and each division into tiles.
@Suite("kernel of Light and Color")
struct LightAndColorKernelTests {
    /// An edit with all tables, freed with `lc_edit_free`.
    private static func edit(levels: Int) throws -> UnsafeMutablePointer<lc_edit> {
        let edit = try #require(lc_edit_make(Int32(levels), true, true))
        for table in [
            edit.pointee.curves.light.0, edit.pointee.curves.light.1, edit.pointee.curves.light.2,
        ] {
            for level in 0..<levels {
                let value = Float(level) / Float(levels - 1)
                table?[level] = value * value
            }
        }
        for table in [
            edit.pointee.curves.encoding.0, edit.pointee.curves.encoding.1,
            edit.pointee.curves.encoding.2,
        ] {
            fill(table, count: Int(PL_ENCODING_PARTS), pl_encoding_start) { $0.squareRoot() }
        }
        fill(edit.pointee.tone, count: Int(PL_TONE_PARTS), pl_tone_start) { $0 * (1.5 - $0 / 2) }
        fill(edit.pointee.gain, count: Int(PL_TONE_PARTS), pl_tone_start) { 1.6 - $0 }
        edit.pointee.matrix = (1.2, 0.1, -0.05, 0.02, 0.9, 0, 0.03, -0.1, 1.3)
        edit.pointee.luminance = (0.25, 0.5, 0.25)
        edit.pointee.tone_scale = 1.1
        edit.pointee.tone_offset = -0.05
        edit.pointee.saturation = 1.3
        edit.pointee.vibrance = -0.4
        let luma = (0..<150 * 2).map { Float($0 * 37 % 101) / 101 }
        try #require(pl_base_set(&edit.pointee.base, luma, 150, 2, 4, 1, 0.01))
        edit.pointee.base.columns_per_pixel = 4
        edit.pointee.base.rows_per_pixel = 2.5
        return edit
    }

    private static func fill(
        _ parts: UnsafeMutablePointer<pl_part>?, count: Int, _ start: (Int32) -> Double,
        _ function: (Double) -> Double
    ) {
        for part in 0..<count {
            let (from, to) = (start(Int32(part)), start(Int32(part + 1)))
            let slope = (function(to) - function(from)) / (to - from)
            parts?[part] = pl_part(value: Float(function(from) - slope * from), slope: Float(slope))
        }
    }

    @Test("with and without AVX2, and in all tiles, the bytes are the same", arguments: [3, 4])
    func bytes(bands: Int) throws {
        for levels in [256, 65536] {
            let edit = try Self.edit(levels: levels)
            defer { lc_edit_free(edit) }
            let kernel = RowKernel(edit: edit, row: lc_row, plain: lc_plain_row)
            if levels == 256 {
                kernel.expectSameBytes(UInt8.self, width: 600, height: 5, bands: bands)
            } else {
                kernel.expectSameBytes(UInt16.self, width: 600, height: 5, bands: bands)
            }
        }
    }

    @Test("tables of what levels add change no byte", arguments: [3, 4])
    func shares(bands: Int) throws {
        let edit = try Self.edit(levels: 256)
        defer { lc_edit_free(edit) }
        let source = (0..<600 * bands).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
        func edited() -> [UInt8] {
            var result = [UInt8](repeating: 0, count: source.count)
            lc_row(edit, source, &result, true, Int32(bands), 600, 0, 0)
            return result
        }
        let before = edited()
        lc_edit_set_shares(edit)
        #expect(edited() == before)
        RowKernel(edit: edit, row: lc_row, plain: lc_plain_row)
            .expectSameBytes(UInt8.self, width: 600, height: 5, bands: bands)
    }
}
