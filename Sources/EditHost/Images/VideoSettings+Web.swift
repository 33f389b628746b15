// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

extension VideoSettings {
    /// The maximum longer side of a video for browsers, in pixels.
    static let maximumWebSide = 1920

    /// The settings of videos for browsers: smaller and faster to encode than renditions.
    static var forWeb: VideoSettings {
        var settings = VideoSettings(codec: .h264, quality: 22, preset: "veryfast")
        settings.isForWeb = true
        return settings
    }
}
