// SPDX-License-Identifier: Apache-2.0

import CLensfun
import EditingExtensionAPI
import PictureLight

extension FoundLens {
    /// The settings for which the calibrations count. Any will do if they are the same in calibration and modifier.
    private static let settings: (aperture: Float, distance: Float) = (1, 1)

    /// Makes a modifier of lensfun. The caller owns it.
    ///
    /// - Parameters:
    ///   - width: The width of the picture in pixels.
    ///   - height: The height of the picture in pixels.
    ///   - flags: What it corrects, LF_MODIFY_TCA and others.
    ///   - scale: The enlargement. 0: as little as fills the frame.
    ///   - reverses: Whether it makes the errors of the lens instead of correcting them.
    /// - Throws: `EditingExtensionError` with `badAdjustment` if a model is unknown.
    func modifier(
        width: Int, height: Int, flags: Int, scale: Double, reverses: Bool
    ) throws -> UnsafeMutablePointer<lfModifier> {
        guard let lens = lf_lens_new() else { throw EditingExtensionError.outOfMemory }
        defer { lf_lens_destroy(lens) }
        try set(lens)
        guard
            let modifier = lf_modifier_new(lens, Float(cropFactor), Int32(width), Int32(height))
        else { throw EditingExtensionError.outOfMemory }
        _ = lf_modifier_initialize(
            modifier, lens, LF_PF_F32, Float(focalLength), Self.settings.aperture,
            Self.settings.distance, Float(scale), LF_RECTILINEAR, Int32(flags), reverses ? 1 : 0)
        return modifier
    }

    private func set(_ lens: UnsafeMutablePointer<lfLens>) throws {
        let focalLength = Float(self.focalLength)
        lens.pointee.MinFocal = focalLength
        lens.pointee.MaxFocal = focalLength
        lens.pointee.CropFactor = Float(calibrationCropFactor)
        lens.pointee.AspectRatio = Float(calibrationAspectRatio)
        lens.pointee.CenterX = Float(centerX)
        lens.pointee.CenterY = Float(centerY)
        lens.pointee.Type = LF_RECTILINEAR
        if let known = distortion {
            var calibration = lfLensCalibDistortion()
            calibration.Model = try Self.model(known, LensModels.distortion)
            calibration.Focal = focalLength
            Self.copy(known.terms, to: &calibration.Terms, count: 3)
            lf_lens_add_calib_distortion(lens, &calibration)
        }
        if let known = lateralColor {
            var calibration = lfLensCalibTCA()
            calibration.Model = try Self.model(known, LensModels.lateralColor)
            calibration.Focal = focalLength
            Self.copy(known.terms, to: &calibration.Terms, count: 6)
            lf_lens_add_calib_tca(lens, &calibration)
        }
        if let known = vignetting {
            var calibration = lfLensCalibVignetting()
            calibration.Model = try Self.model(known, LensModels.vignetting)
            calibration.Focal = focalLength
            calibration.Aperture = Self.settings.aperture
            calibration.Distance = Self.settings.distance
            Self.copy(known.terms, to: &calibration.Terms, count: 3)
            lf_lens_add_calib_vignetting(lens, &calibration)
        }
    }

    private static func model<Model>(
        _ calibration: FoundLens.Calibration, _ models: [String: Model]
    ) throws -> Model {
        guard let model = models[calibration.model] else {
            throw EditingExtensionError(
                code: .badAdjustment,
                message: "the lens in the recipe has the unknown model \(calibration.model)")
        }
        return model
    }

    /// Copies numbers, and zeros if there are too few, to an array in C, which Swift imports as a tuple.
    private static func copy<Floats>(_ numbers: [Double], to floats: inout Floats, count: Int) {
        let padded = numbers + [Double](repeating: 0, count: count)
        PictureLight.copy(Array(padded.prefix(count)), to: &floats)
    }
}
