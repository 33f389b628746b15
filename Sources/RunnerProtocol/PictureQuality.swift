// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The quality of a picture, relative to others of the same scene.
package struct PictureQuality: Codable, Hashable, Sendable {
    /// The mean squared gradient of the luminance, from 0.
    package var sharpness: Double
    /// The fraction of the picture that is neither black nor white, 0...1.
    package var exposure: Double

    /// Creates a quality from its properties.
    package init(sharpness: Double, exposure: Double) {
        self.sharpness = sharpness
        self.exposure = exposure
    }
}
