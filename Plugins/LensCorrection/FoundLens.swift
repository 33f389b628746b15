// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// An entry of lensfun's data, interpolated for the settings of a photo.
struct FoundLens: Codable, Hashable, Sendable {
    /// The coefficients of one of lensfun's models.
    struct Calibration: Codable, Hashable, Sendable {
        /// The name of the model, such as `ptlens`.
        var model: String
        /// The coefficients, in lensfun's order.
        var terms: [Double]
    }

    /// What was searched for.
    var query: LensQuery
    /// The names of the camera and the lens in lensfun's data.
    var camera: String
    var lens: String
    /// The focal length in millimetres.
    var focalLength: Double
    /// The crop factor of the camera.
    var cropFactor: Double
    /// The crop factor of the camera, and the aspect ratio of the pictures, with which the lens was calibrated.
    var calibrationCropFactor: Double
    var calibrationAspectRatio: Double
    /// The optical centre relative to that of the upright picture, in units of half of its shorter side.
    var centerX: Double
    var centerY: Double
    /// Models `poly3`, `poly5` and `ptlens`. Nil: unknown.
    var distortion: Calibration?
    /// Models `linear` and `poly3`. Nil: unknown.
    var lateralColor: Calibration?
    /// Model `pa`. Nil: unknown.
    var vignetting: Calibration?

    /// Throws unless all numbers are usable. A recipe may contain any value. The limits are a few times those of
    /// lensfun's data: others tear the picture, which takes very long.
    ///
    /// - Throws: `EditingExtensionError` with `badAdjustment`.
    func check() throws {
        let factors = [focalLength, cropFactor, calibrationCropFactor, calibrationAspectRatio]
        let lateral = lateralColor?.terms ?? []
        guard factors.allSatisfy({ (0.001...100_000).contains($0) }),
            [centerX, centerY].allSatisfy({ (-1...1).contains($0) }),
            (distortion?.terms ?? []).isWithin(2, count: 3),
            lateral.prefix(2).allSatisfy({ (0.9...1.1).contains($0) }),
            Array(lateral.dropFirst(2)).isWithin(0.05, count: 4),
            (vignetting?.terms ?? []).isWithin(1000, count: 3)
        else {
            throw EditingExtensionError(
                code: .badAdjustment,
                message:
                    "the lens in the recipe has numbers out of range; set lens to search for it again"
            )
        }
    }
}

extension [Double] {
    /// Whether there are at most so many numbers, and none beyond a limit.
    fileprivate func isWithin(_ limit: Double, count: Int) -> Bool {
        self.count <= count && allSatisfy { $0.magnitude <= limit }
    }
}
