// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension Renderer {
    /// A frame of a video, upright; any other base as it is.
    ///
    /// - Parameter time: in seconds, as players count; nil: the first frame, which stands for the video.
    /// - Throws: `HostError`.
    func still(of base: Base, at time: Double? = nil) async throws -> Base {
        guard case .encoded(let format) = base.kind, format.mediaType == .video else { return base }
        var input = RenderInput(base: base.kind)
        input.time = time
        let wanted = input
        let result = try await pool.forVideos().withRunner { runner in
            try await RawOutput().take(
                from: runner, { .run(RenderJob(input: wanted, output: $0)) },
                [(.base, base.bytes)])
        }
        switch result {
        case .picture(let pixels): return Base(pixels: pixels, over: base)
        case .fileWritten:
            throw HostError(.runnerFailed, "the media runner returned no picture")
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
                "videos cannot be opened, because \(Self.lacksVideos); run make install-media"
            )
        }
        return media
    }

    /// What to say where there are no runners that open videos.
    static var lacksVideos: String { "edithost-media-runner is not installed next to edithost" }
}
