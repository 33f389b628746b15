// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension Renderer {
    /// The picture that stands for a video, its first one, upright; any other base as it is.
    ///
    /// - Throws: `HostError`.
    func still(of base: Base) async throws -> Base {
        guard case .encoded(let format) = base.kind, format.mediaType == .video else { return base }
        let result = try await pool.forVideos().withRunner { runner in
            try await RawOutput().take(
                from: runner,
                { .run(RenderJob(input: RenderInput(base: base.kind), output: $0)) },
                [(.base, base.bytes)])
        }
        switch result {
        case .picture(let pixels): return Base(pixels: pixels, over: base)
        case .fileWritten:
            throw HostError(.runnerFailed, "the media runner gave no picture")
        }
    }
}

extension RunnerPool {
    /// The runners that open videos.
    ///
    /// - Throws: `HostError` with `blockedFormat` where there are none.
    nonisolated func forVideos() throws(HostError) -> RunnerPool {
        guard let media else {
            throw HostError(
                .blockedFormat,
                "videos are not opened, because edithost-media-runner is not installed beside edithost"
            )
        }
        return media
    }
}
