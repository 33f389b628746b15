// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A frame to be processed by extensions.
package struct FrameJob: Codable, Hashable, Sendable {
    /// The presentation time and duration of the frame.
    package var time: FrameTime
    /// The memory layout of the frame.
    package var layout: UncompressedLayout
    /// The required layout of the result in the accompanying memory. Nil if no memory was sent; the answer is then
    /// `outputNeeded`.
    package var output: UncompressedLayout?

    /// Creates a job from its properties.
    package init(time: FrameTime, layout: UncompressedLayout, output: UncompressedLayout?) {
        self.time = time
        self.layout = layout
        self.output = output
    }
}
