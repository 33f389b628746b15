// SPDX-License-Identifier: Apache-2.0

import Vips

/// A frame that an edit produces for a video.
public struct GeneratedVideoFrame {
    /// The frame, of the same size as all others. It is read once, before the next call.
    public var image: Image
    /// The presentation time from the start of the video, in units of 1 / `timescale` seconds of ``VideoFrame``. It is
    /// within the video, and at least one millisecond after the time of the previous frame.
    ///
    /// The first frame is shown from the start of the video, regardless of its time. Each frame is shown until the next
    /// one, and the last one until the end of the video.
    public var timeValue: Int64

    /// Creates a frame from an image and its presentation time.
    public init(image: Image, timeValue: Int64) {
        self.image = image
        self.timeValue = timeValue
    }
}
