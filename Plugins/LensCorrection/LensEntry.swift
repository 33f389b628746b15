// SPDX-License-Identifier: Apache-2.0

import CLensfun
import EditingExtensionAPI

/// A lens in lensfun's data, and what is known of it at the settings of a photo.
struct LensEntry {
    /// Valid as long as the database.
    let lens: UnsafePointer<lfLens>
    private let query: LensQuery
    /// In millimetres; 0 if unknown.
    private let focalLength: Float
    private let distortion: FoundLens.Calibration?
    private let lateralColor: FoundLens.Calibration?
    private let vignetting: FoundLens.Calibration?

    /// The distance of an unknown subject, in metres.
    private static let defaultDistance = 1000.0

    init(_ lens: UnsafePointer<lfLens>, _ query: LensQuery) {
        self.lens = lens
        self.query = query
        let only = lens.pointee.MinFocal == lens.pointee.MaxFocal ? lens.pointee.MinFocal : 0
        let focalLength = query.focalLength.map { Float($0) } ?? only
        self.focalLength = focalLength
        guard focalLength > 0 else {
            (distortion, lateralColor, vignetting) = (nil, nil, nil)
            return
        }
        distortion = Self.distortion(of: lens, focalLength)
        lateralColor = Self.lateralColor(of: lens, focalLength)
        vignetting = query.aperture.flatMap { aperture in
            Self.vignetting(
                of: lens, focalLength, Float(aperture),
                Float(min(query.distance ?? Self.defaultDistance, Self.defaultDistance)))
        }
    }

    /// Manufacturer and model.
    var name: String {
        "\(String(lensfun: lens.pointee.Maker)) \(String(lensfun: lens.pointee.Model))"
    }

    /// How well the entry matches, as lensfun rates it.
    var score: Int32 { lens.pointee.Score }

    /// Whether the lens was calibrated with a sensor at least as large as that of the camera. Differences of a few
    /// percent are those between manufacturers.
    func covers(_ cropFactor: Double) -> Bool {
        Double(lens.pointee.CropFactor) <= cropFactor * 1.05
    }

    /// How many of the three errors can be corrected.
    var calibrationCount: Int {
        [distortion, lateralColor, vignetting].count { $0 != nil }
    }

    /// Returns what a recipe stores.
    ///
    /// - Parameters:
    ///   - camera: The name of the camera.
    ///   - cropFactor: The crop factor of the camera.
    /// - Throws: `EditingExtensionError` with `unsupported` if nothing can be corrected.
    func interpolated(
        camera: String, cropFactor: Double
    ) throws(EditingExtensionError) -> FoundLens {
        guard (0.1...100_000).contains(focalLength) else {
            throw EditingExtensionError(
                code: .unsupported, message: "the photo's metadata contain no usable focal length")
        }
        guard calibrationCount > 0 else {
            throw EditingExtensionError(
                code: .unsupported,
                message: "lensfun has no calibration of the lens “\(name)” at \(focalLength) mm")
        }
        let center = upright(Double(lens.pointee.CenterX), Double(lens.pointee.CenterY))
        return FoundLens(
            query: query, camera: camera, lens: name, focalLength: Double(focalLength),
            cropFactor: cropFactor, calibrationCropFactor: Double(lens.pointee.CropFactor),
            calibrationAspectRatio: Double(lens.pointee.AspectRatio), centerX: center.x,
            centerY: center.y, distortion: distortion, lateralColor: lateralColor,
            vignetting: vignetting)
    }

    /// An offset in the original as one in the upright picture.
    private func upright(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        switch query.orientation {
        case 2: (-x, y)
        case 3: (-x, -y)
        case 4: (x, -y)
        case 5: (y, x)
        case 6: (-y, x)
        case 7: (-y, -x)
        case 8: (y, -x)
        default: (x, y)
        }
    }

    private static func distortion(
        of lens: UnsafePointer<lfLens>, _ focalLength: Float
    ) -> FoundLens.Calibration? {
        var result = lfLensCalibDistortion()
        guard lf_lens_interpolate_distortion(lens, focalLength, &result) != 0,
            let model = LensModels.distortion.first(where: { $0.value == result.Model })
        else { return nil }
        let terms = [result.Terms.0, result.Terms.1, result.Terms.2]
        return FoundLens.Calibration(model: model.key, terms: terms.map(Double.init))
    }

    private static func lateralColor(
        of lens: UnsafePointer<lfLens>, _ focalLength: Float
    ) -> FoundLens.Calibration? {
        var result = lfLensCalibTCA()
        guard lf_lens_interpolate_tca(lens, focalLength, &result) != 0,
            let model = LensModels.lateralColor.first(where: { $0.value == result.Model })
        else { return nil }
        let terms = [
            result.Terms.0, result.Terms.1, result.Terms.2, result.Terms.3, result.Terms.4,
            result.Terms.5,
        ]
        return FoundLens.Calibration(model: model.key, terms: terms.map(Double.init))
    }

    private static func vignetting(
        of lens: UnsafePointer<lfLens>, _ focalLength: Float, _ aperture: Float, _ distance: Float
    ) -> FoundLens.Calibration? {
        var result = lfLensCalibVignetting()
        guard
            lf_lens_interpolate_vignetting(lens, focalLength, aperture, distance, &result) != 0,
            let model = LensModels.vignetting.first(where: { $0.value == result.Model })
        else { return nil }
        let terms = [result.Terms.0, result.Terms.1, result.Terms.2]
        return FoundLens.Calibration(model: model.key, terms: terms.map(Double.init))
    }
}
