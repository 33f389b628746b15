// SPDX-License-Identifier: Apache-2.0

import RunnerHost
import RunnerProtocol

extension ControllerSession {
    /// Renders the finished edit of an untrusted extension, streaming its pixels to the encoder.
    ///
    /// - Parameter base: The base of the edit.
    /// - Throws: `HostError`.
    func render<Wanted: RequestedOutput>(
        _ output: Wanted, by renderer: Renderer, of plan: StatePlan, over base: Renderer.Base
    ) async throws -> Wanted.Picture {
        try await attributingInputFailures {
            try await renderer.pool.withRunner(isSecond: renderer.isForSession) { codec in
                // Must precede the request to encode.
                await input?.render(for: runner.process, with: codec)
                let picture = await Result.capturing {
                    try await encoded(output, with: codec, by: renderer, of: plan, over: base)
                }
                await input?.rendered()
                return try picture.get()
            }
        }
    }

    private func encoded<Wanted: RequestedOutput>(
        _ output: Wanted, with codec: Runner, by renderer: Renderer, of plan: StatePlan,
        over base: Renderer.Base
    ) async throws -> Wanted.Picture {
        let reply = try await runner.requestPixels(.render(.raw), [])
        guard case .outputNeeded(let layout) = reply else { throw runner.unexpected(reply) }
        return try await UntrustedEncoding(
            renderer: renderer, plan: plan, digest: digest, codec: codec, runner: runner,
            output: output
        ).take(layout, .render(.raw), over: base)
    }
}
