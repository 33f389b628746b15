// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Glibc
import RunnerProtocol
import Vips

/// The image sizes reported to an extension.
struct InputScales: Sendable {
    /// The size of the full-size image.
    let fullSize: PixelSize
    /// The scale of the full-size image relative to the photo.
    let fullScale: Double
    /// The scale of the display image relative to the photo.
    let displayScale: Double
}
