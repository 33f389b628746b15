// SPDX-License-Identifier: Apache-2.0

import Vips

/// A frame that an edit produces for a video.
public struct GeneratedVideoFrame {
    /// The frame, of the same size as all others. It is read once, before the next call.
    public var image: Image
    /// The presentation time from the start of the video, in units of 1 / `timescale` seconds of ``VideoFrame``. It
    /// lies within the video, at least one millisecond after the previous frame.
    ///
    /// The first frame is shown from the start, whatever its time. Each frame is shown until the next, the last
    /// until the video ends.
    public var timeValue: Int64

    /// Creates a frame from an image and its presentation time.
    public init(image: Image, timeValue: Int64) {
        self.image = image
        self.timeValue = timeValue
    }
}
