// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost
import RunnerProtocol

extension RunnerPool {
    /// Returns the pool of the runners that open videos.
    ///
    /// - Throws: `HostError` with `blockedFormat` if there is none.
    nonisolated func forVideos() throws(HostError) -> RunnerPool {
        guard let media else {
            throw HostError(
                .blockedFormat,
                "videos cannot be opened, because \(Self.lacksVideos); run make install-media"
            )
        }
        return media
    }

    /// The message if no runner can open videos.
    static var lacksVideos: String { "edithost-media-runner is not installed next to edithost" }
}
