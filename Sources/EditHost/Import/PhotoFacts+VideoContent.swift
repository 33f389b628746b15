// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension PhotoFacts {
    /// Keeps the facts of an unchanged embedded video if there is no runner for videos now.
    mutating func keepVideoContent(of old: PhotoFacts?) {
        guard var video = embeddedVideo, video.content == nil, let known = old?.embeddedVideo,
            known.offset == video.offset, known.length == video.length
        else { return }
        video.content = known.content
        embeddedVideo = video
    }
}
