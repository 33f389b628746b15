// SPDX-License-Identifier: Apache-2.0

import CLensCorrection
import CLensfun
import CPictureLight
import TestSupport
import Testing

/// The arithmetic of Lens Correction gives the same bytes for each processor and each division into tiles.
@Suite("kernel of Lens Correction")
struct LensVignettingKernelTests {
    /// A lens that darkens corners by a stop, whose centre is beside that of the picture.
    private static func modifier(
        width: Int, height: Int, terms: (Float, Float, Float) = (-0.5, 0.1, -0.1)
    ) throws -> UnsafeMutablePointer<lfModifier> {
        let lens = try #require(lf_lens_new())
        defer { lf_lens_destroy(lens) }
        (lens.pointee.MinFocal, lens.pointee.MaxFocal) = (50, 50)
        (lens.pointee.CropFactor, lens.pointee.AspectRatio) = (1, 1.5)
        (lens.pointee.CenterX, lens.pointee.CenterY) = (0.1, -0.05)
        lens.pointee.Type = LF_RECTILINEAR
        var calibration = lfLensCalibVignetting()
        calibration.Model = LF_VIGNETTING_MODEL_PA
        (calibration.Focal, calibration.Aperture, calibration.Distance) = (50, 1, 1)
        calibration.Terms = terms
        lf_lens_add_calib_vignetting(lens, &calibration)
        let modifier = try #require(lf_modifier_new(lens, 1, Int32(width), Int32(height)))
        let flags = lf_modifier_initialize(
            modifier, lens, LF_PF_F32, 50, 1, 1, 1, LF_RECTILINEAR, Int32(LF_MODIFY_VIGNETTING), 1)
        #expect(flags == Int32(LF_MODIFY_VIGNETTING))
        return modifier
    }

    /// An edit of pictures whose samples are light.
    private static func edit(
        levels: Int, _ modifier: UnsafeMutablePointer<lfModifier>, width: Int, height: Int
    ) throws -> UnsafeMutablePointer<ln_edit> {
        let edit = try #require(
            ln_edit_make(Int32(levels), modifier, Int32(width), Int32(height)))
        let curves = edit.pointee.curves
        for table in [curves.light.0, curves.light.1, curves.light.2] {
            for level in 0..<levels { table?[level] = Float(level) / Float(levels - 1) }
        }
        for table in [curves.encoding.0, curves.encoding.1, curves.encoding.2] {
            for part in 0..<Int(PL_ENCODING_PARTS) { table?[part] = pl_part(value: 0, slope: 1) }
        }
        #expect(ln_edit_prepare(edit))
        return edit
    }

    @Test("with and without AVX2, and in all tiles, the bytes are the same", arguments: [3, 4])
    func bytes(bands: Int) throws {
        let modifier = try Self.modifier(width: 600, height: 400)
        defer { lf_modifier_destroy(modifier) }
        for levels in [256, 65536] {
            let edit = try Self.edit(levels: levels, modifier, width: 600, height: 400)
            defer { ln_edit_free(edit) }
            let kernel = RowKernel(edit: edit, row: ln_row, plain: ln_plain_row)
            if levels == 256 {
                kernel.expectSameBytes(UInt8.self, width: 600, height: 35, bands: bands)
            } else {
                kernel.expectSameBytes(UInt16.self, width: 600, height: 35, bands: bands)
            }
        }
    }

    @Test(
        "samples are divided by lensfun's share of each pixel",
        arguments: [(600, 400), (300, 1), (1, 1)],
        // The second lens, of Canon's PowerShot G1 X Mark II, has shares below 0 beyond the corners.
        [(-0.5, 0.1, -0.1), (-0.4086, 1.3336, -2.5076)] as [(Float, Float, Float)])
    func shares(size: (width: Int, height: Int), terms: (Float, Float, Float)) throws {
        let (width, height) = size
        let modifier = try Self.modifier(width: width, height: height, terms: terms)
        defer { lf_modifier_destroy(modifier) }
        let small = try Self.edit(levels: 256, modifier, width: width, height: height)
        defer { ln_edit_free(small) }
        let large = try Self.edit(levels: 65536, modifier, width: width, height: height)
        defer { ln_edit_free(large) }
        var (bytes, words) = ([UInt8](), [UInt16]())
        for index in 0..<3 * width {
            // Some become more than white.
            bytes.append(UInt8(index * 7 % 200))
            words.append(UInt16(index * 1999 % 50000))
        }
        var newBytes = bytes, newWords = words
        for y in 0..<height {
            ln_row(small, bytes, &newBytes, true, 3, Int32(width), 0, Int32(y))
            ln_row(large, words, &newWords, false, 3, Int32(width), 0, Int32(y))
            var farthest = (0.0, 0.0)
            for x in 0..<width {
                var share: Float = 1
                let role = Int32(LF_CR_END.rawValue | LF_CR_INTENSITY.rawValue)
                lf_modifier_apply_color_modification(
                    modifier, &share, Float(x), Float(y), 1, 1, role, 0)
                // The gain is at most 100. Rounding errors count more if the share is small.
                share = max(0.01, share)
                let tolerance = 1 / Double(share)
                for index in 3 * x..<3 * x + 3 {
                    let byte = min(255, Double(bytes[index]) / Double(share))
                    farthest.0 = max(
                        farthest.0, abs(Double(newBytes[index]) - byte) - 0.001 * tolerance)
                    let word = min(65535, Double(words[index]) / Double(share))
                    farthest.1 = max(
                        farthest.1, abs(Double(newWords[index]) - word) - 0.2 * tolerance)
                }
            }
            #expect(farthest.0 < 0.53 && farthest.1 < 1, "\(farthest) in row \(y)")
        }
    }
}
