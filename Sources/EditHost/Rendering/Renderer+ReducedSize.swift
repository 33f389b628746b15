// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension Renderer.Base {
    /// The approximate size of raw pixels without their reduction, or `nil` if they are not reduced.
    var unreducedSize: PixelSize? {
        guard case .raw(let layout) = kind else { return nil }
        return reduction?.unreduced(PixelSize(width: layout.width, height: layout.height))
    }
}
