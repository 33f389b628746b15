// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol

extension RunnerPool {
    /// Decodes a picture at full size.
    ///
    /// - Throws: `HostError`.
    nonisolated func pixels(of base: Renderer.Base) async throws -> Renderer.Base {
        let input = RenderInput(base: base.kind)
        let result = try await withRunner { runner in
            try await UncompressedPixelsOutput().take(
                from: runner, { .run(RenderJob(input: input, output: $0)) },
                [(.base, base.bytes)])
        }
        switch result {
        case .picture(let pixels): return Renderer.Base(pixels: pixels, over: base)
        case .fileWritten: throw HostError(.runnerFailed, "the runner returned no picture")
        }
    }
}
