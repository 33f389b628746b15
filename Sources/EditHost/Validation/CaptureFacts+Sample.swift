// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension CaptureFacts {
    /// The metadata of the pictures that extensions are validated with: a common camera and lens, because an extension
    /// may need to know them.
    static var sample: CaptureFacts {
        var facts = CaptureFacts()
        facts.cameraMake = "Canon"
        facts.cameraModel = "Canon EOS 5D Mark III"
        facts.lensModel = "EF24-105mm f/4L IS USM"
        facts.exposureTime = 1 / 250
        facts.settings = CameraSettings(focalLength: 24, aperture: 5.6, isoSpeed: 100)
        return facts
    }
}
