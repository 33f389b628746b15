// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

extension VideoSettings.Codec {
    /// The name of FFmpeg's encoder.
    var encoder: String {
        switch self {
        case .h264: "libx264"
        case .hevc: "libx265"
        }
    }

    /// The allowed width and height of frames in pixels.
    var sides: ClosedRange<Int> {
        switch self {
        case .h264: 2...16384
        // x265 of Debian 12 corrupts its memory at some smaller sizes, such as 48 by 32.
        case .hevc: 64...16384
        }
    }
}
