// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

extension VideoSettings {
    /// The settings of videos for browsers: smaller and faster to encode than renditions.
    static var forWeb: VideoSettings {
        var settings = VideoSettings(codec: .h264, quality: 22, preset: "veryfast")
        settings.isForWeb = true
        return settings
    }
}
