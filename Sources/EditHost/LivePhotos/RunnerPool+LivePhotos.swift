// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Library
import RunnerHost
import RunnerProtocol

extension RunnerPool {
    /// Renders a picture file.
    ///
    /// - Throws: `HostError`.
    func image(
        _ display: DisplaySettings, of file: OpenFile, _ format: MediaFormat
    ) async throws -> AssetImage {
        try await withRunner { runner in
            let input = RenderInput(base: .encoded(format))
            let result = try await ImageOutput(display: display).take(
                from: runner, { .run(RenderJob(input: input, output: $0)) }, [(.base, file)])
            guard case .picture(let picture) = result, let pixels = picture.pixels else {
                throw HostError(.runnerFailed, "the runner returned no picture")
            }
            return try AssetImage(pixels)
        }
    }
}
