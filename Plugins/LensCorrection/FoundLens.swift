// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// An entry of lensfun's data, interpolated for the settings of a photograph.
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
    /// The optical centre relative to that of the upright picture, in units of its longer side.
    var centerX: Double
    var centerY: Double
    /// Models `poly3`, `poly5` and `ptlens`. Nil: unknown.
    var distortion: Calibration?
    /// Models `linear` and `poly3`. Nil: unknown.
    var lateralColor: Calibration?
    /// Model `pa`. Nil: unknown.
    var vignetting: Calibration?

    /// Throws unless all numbers are usable. A recipe may contain any value.
    ///
    /// - Throws: `EditingExtensionError` with `badAdjustment`.
    func check() throws {
        let factors = [focalLength, cropFactor, calibrationCropFactor, calibrationAspectRatio]
        let terms = [distortion, lateralColor, vignetting].compactMap { $0?.terms }
        guard factors.allSatisfy({ (0.001...100_000).contains($0) }),
            [centerX, centerY].allSatisfy({ (-1...1).contains($0) }),
            terms.allSatisfy({ $0.count <= 6 && $0.allSatisfy { (-10...10).contains($0) } })
        else {
            throw EditingExtensionError(
                code: .badAdjustment,
                message:
                    "the lens in the recipe has numbers out of range; set lens to search for it again"
            )
        }
    }
}
