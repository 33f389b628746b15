// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerHost
import RunnerProtocol

extension Renderer {
    /// Returns a JPEG, HEIC, AVIF or GIF file with other metadata and unchanged pixels.
    ///
    /// - Returns: Nil if it has to be re-encoded, because it is damaged or cannot store the metadata.
    /// - Throws: `HostError`, `CancellationError`.
    func retagged(
        _ file: OpenFile, _ format: MediaFormat, _ settings: EncodeSettings
    ) async throws -> EncodedOutput.Picture? {
        do {
            return try await pool.withRunner { runner in
                let input = RenderInput(base: .encoded(format))
                let result = try await EncodedOutput(settings).take(
                    from: runner, { .run(RenderJob(input: input, output: $0)) }, [(.base, file)])
                guard case .picture(let picture) = result else { return nil }
                return picture
            }
        } catch let error as HostError
            where error.underlying is RunnerFailure || error.underlying is RunnerDeath
        {
            try Task.checkCancellation()
            return nil
        }
    }
}
