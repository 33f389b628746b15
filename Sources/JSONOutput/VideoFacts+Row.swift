// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension VideoFacts {
    /// The properties of the original's video and audio that `show` prints.
    package var row: JSONRow {
        [
            "duration": duration, "codec": codec, "frameRate": frameRate, "frameCount": frameCount,
            "audioCodec": audioCodec, "audioTracks": audioTracks,
        ]
    }
}
