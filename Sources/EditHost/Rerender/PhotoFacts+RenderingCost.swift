// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The work of rendering, in units. With the same extensions, each unit takes about the same time.
extension PhotoFacts {
    private var megapixels: Double { Double(pixelWidth) * Double(pixelHeight) / 1e6 }

    /// The megapixels times steps of rendering a photo.
    func photoUnits(steps: Int) -> Double { megapixels * Double(max(1, steps)) }

    /// The megapixels of all frames of a video; 0 for a photo.
    var videoUnits: Double {
        guard let video else { return 0 }
        let frames = video.duration * min(max(video.frameRate ?? 30, 1), 1000)
        return max(0, frames) * megapixels
    }
}
