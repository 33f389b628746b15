// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// The progress of the work on one asset.
public struct EditProgress: Hashable, Sendable {
    /// The completed fraction, 0...1, as reported by the extension, or computed from the frames of a video.
    public var fraction: Double
    /// The number of encoded frames of a video; nil for other assets, or if frames are not counted.
    public var frameCount: Int?

    /// Creates a progress value.
    public init(fraction: Double, frameCount: Int? = nil) {
        self.fraction = fraction
        self.frameCount = frameCount
    }
}
