// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost
import RunnerProtocol

extension RunnerPool {
    /// Returns a frame of a video as upright pixels, or any other base unchanged.
    ///
    /// - Parameter time: The presentation time in seconds; `nil` for the first frame.
    /// - Throws: `HostError`.
    nonisolated func still(
        of base: Renderer.Base, at time: Double?
    ) async throws -> Renderer.Base {
        guard case .encoded(let format) = base.kind, format.mediaType == .video else { return base }
        var input = RenderInput(base: base.kind)
        input.time = time
        let wanted = input
        let result = try await forVideos().withRunner { runner in
            try await UncompressedPixelsOutput().take(
                from: runner, { .run(RenderJob(input: wanted, output: $0)) },
                [(.base, base.bytes)])
        }
        switch result {
        case .picture(let pixels): return Renderer.Base(pixels: pixels, over: base)
        case .fileWritten:
            throw HostError(.runnerFailed, "the media runner returned no picture")
        }
    }
}
