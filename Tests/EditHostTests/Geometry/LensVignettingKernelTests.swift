// SPDX-License-Identifier: Apache-2.0

import CLensCorrection
import CLensfun
import CPictureLight
import TestSupport
import Testing

/// The arithmetic of Lens Correction gives the same bytes for each processor and each division into tiles.
@Suite("kernel of Lens Correction")
struct LensVignettingKernelTests {
    /// A lens that darkens corners by a stop.
    private static func modifier() throws -> UnsafeMutablePointer<lfModifier> {
        let lens = try #require(lf_lens_new())
        defer { lf_lens_destroy(lens) }
        (lens.pointee.MinFocal, lens.pointee.MaxFocal) = (50, 50)
        (lens.pointee.CropFactor, lens.pointee.AspectRatio) = (1, 1.5)
        lens.pointee.Type = LF_RECTILINEAR
        var calibration = lfLensCalibVignetting()
        calibration.Model = LF_VIGNETTING_MODEL_PA
        (calibration.Focal, calibration.Aperture, calibration.Distance) = (50, 1, 1)
        calibration.Terms = (-0.5, 0.1, -0.1)
        lf_lens_add_calib_vignetting(lens, &calibration)
        let modifier = try #require(lf_modifier_new(lens, 1, 600, 400))
        let flags = lf_modifier_initialize(
            modifier, lens, LF_PF_F32, 50, 1, 1, 1, LF_RECTILINEAR, Int32(LF_MODIFY_VIGNETTING), 1)
        #expect(flags == Int32(LF_MODIFY_VIGNETTING))
        return modifier
    }

    @Test("with and without AVX2, and in all tiles, the bytes are the same", arguments: [3, 4])
    func bytes(bands: Int) throws {
        for levels in [256, 65536] {
            let edit = try #require(ln_edit_make(Int32(levels), Self.modifier()))
            defer { ln_edit_free(edit) }
            let curves = edit.pointee.curves
            for table in [curves.light.0, curves.light.1, curves.light.2] {
                for level in 0..<levels { table?[level] = Float(level) / Float(levels - 1) }
            }
            for table in [curves.encoding.0, curves.encoding.1, curves.encoding.2] {
                for part in 0..<Int(PL_ENCODING_PARTS) {
                    table?[part] = pl_part(value: 0, slope: 1)
                }
            }
            let kernel = RowKernel(edit: edit, row: ln_row, plain: ln_plain_row)
            if levels == 256 {
                kernel.expectSameBytes(UInt8.self, width: 600, height: 35, bands: bands)
            } else {
                kernel.expectSameBytes(UInt16.self, width: 600, height: 35, bands: bands)
            }
        }
    }
}
