// SPDX-License-Identifier: Apache-2.0

import CLensfun
import Testing

/// The library lensfun itself, with its own search, calibration and loops.
final class LensOracle {
    private let database: UnsafeMutablePointer<lfDatabase>
    private let modifier: UnsafeMutablePointer<lfModifier>

    /// - Parameters:
    ///   - calibrationCropFactor: Which of several entries of the lens.
    init(
        make: String, model: String, lens: String, focalLength: Float, aperture: Float,
        distance: Float, calibrationCropFactor: Float, width: Int, height: Int
    ) throws {
        database = try #require(lf_db_new())
        try #require(lf_db_load(database) == LF_NO_ERROR)
        let cameras = try #require(lf_db_find_cameras_ext(database, make, model, 0))
        defer { lf_free(cameras) }
        let camera = try #require(cameras.pointee)
        let lenses = try #require(lf_db_find_lenses_hd(database, camera, nil, lens, 0))
        defer { lf_free(lenses) }
        var next = lenses
        while let entry = next.pointee, entry.pointee.CropFactor != calibrationCropFactor {
            next += 1
        }
        let entry = try #require(next.pointee)
        modifier = try #require(
            lf_modifier_new(entry, camera.pointee.CropFactor, Int32(width), Int32(height)))
        let flags =
            LF_MODIFY_TCA | LF_MODIFY_VIGNETTING | LF_MODIFY_DISTORTION | LF_MODIFY_SCALE
        let made = lf_modifier_initialize(
            modifier, entry, LF_PF_F32, focalLength, aperture, distance, 0, LF_RECTILINEAR,
            Int32(flags), 0)
        try #require(made == Int32(flags))
    }

    deinit {
        lf_modifier_destroy(modifier)
        lf_db_destroy(database)
    }

    /// The positions of red, green and blue of the pixels of a row: x and y in turn.
    func positions(row: Int, width: Int) -> [Float] {
        // One by one: lensfun adds up a step for each pixel of a row, whose rounding is 0.06 after 1200 pixels.
        (0..<width).flatMap { column in
            var result = [Float](repeating: 0, count: 6)
            let isMoved = lf_modifier_apply_subpixel_geometry_distortion(
                modifier, Float(column), Float(row), 1, 1, &result)
            #expect(isMoved != 0)
            return result
        }
    }

    /// The factor for light at a position of the original.
    func gain(x: Float, y: Float) -> Double {
        var pixel: [Float] = [1, 1, 1]
        let colors = LF_CR_RED.rawValue | LF_CR_GREEN.rawValue << 4 | LF_CR_BLUE.rawValue << 8
        let isLightened = lf_modifier_apply_color_modification(
            modifier, &pixel, x, y, 1, 1, Int32(colors), 12)
        #expect(isLightened != 0)
        return Double(pixel[1])
    }
}
