// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The requested output of a `RenderJob` or of a finished edit.
package enum RenderOutput: Codable, Hashable, Sendable {
    /// Decodes every pixel and reports the picture's facts; writes nothing.
    case facts
    /// A file, written to the descriptor of role `output`.
    case encoded(EncodeSettings)
    /// Uncompressed pixels. The runner answers `outputNeeded` with their layout. The host sends `takeOutput` with a
    /// descriptor of that size, and the runner writes the pixels.
    case raw
    /// Like `raw`, fitted into a square with this side in pixels. A smaller picture keeps its size.
    case reducedRaw(longerSide: Int)
    /// A picture for display: pixels as for `raw`, a file as for `encoded`, or both.
    case image(DisplaySettings)
    /// Measures the sharpness and exposure of the base; writes nothing.
    case quality
}
