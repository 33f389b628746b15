// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol

extension Renderer {
    /// Runs the steps of an untrusted extension over an encoded picture, streamed from the decoder.
    ///
    /// One runner decodes, and encodes if the output needs it; another runs the extension. If the picture is too
    /// large to stream, only the decoded pixels are returned.
    ///
    /// - Throws: `HostError`, naming the extension if it caused the failure.
    func runUntrusted<Wanted: RequestedOutput>(
        _ steps: ArraySlice<StatePlan.Step>, _ binary: ExtensionBinary, over base: Base,
        of plan: StatePlan, _ output: Wanted
    ) async throws -> Outcome<Wanted.Picture> {
        let decoding = try job([], over: base, of: plan, needsOriginal: true)
        return try await pool.withRunner(isSecond: isForSession) { codec in
            let (layout, profile) = try await codec.announcedPixels(decoding)
            guard PixelBuffers.canShare(layout.byteCount) else {
                let picture = try await codec.takePixels(
                    of: layout, .input(binary.digest), for: decoding.request(.raw))
                return .decoded(Base(pixels: picture, over: base))
            }
            return try await pool.withRunner(loading: [binary], isSecond: true) { runner in
                try await UntrustedPipeline(
                    renderer: self, plan: plan, steps: steps, digest: binary.digest, base: base,
                    codec: codec, runner: runner, output: output
                ).run(over: layout, profile)
            }
        }
    }

    /// Runs the steps of an untrusted extension over raw pixels and streams the result to an encoder.
    func runUntrusted<Wanted: RequestedOutput>(
        _ steps: ArraySlice<StatePlan.Step>, _ binary: ExtensionBinary, overPixels base: Base,
        of plan: StatePlan, _ output: Wanted
    ) async throws -> Outcome<Wanted.Picture> {
        let job = try job(steps, over: base, of: plan, needsOriginal: true)
        return try await pool.withRunner(loading: [binary], isSecond: isForSession) { runner in
            switch try await runner.requestPixels(job.request(.raw), job.descriptors) {
            case .outputNeeded(let layout):
                return try await pool.withRunner(isSecond: true) { codec in
                    let encoding = UntrustedEncoding(
                        renderer: self, plan: plan, digest: binary.digest, codec: codec,
                        runner: runner, output: output)
                    return .picture(
                        try await encoding.take(layout, job.request(.raw), over: base))
                }
            case .fileWritten(let index, let file):
                return try await written(file, by: index, of: steps, in: runner)
            case let reply: throw runner.unexpected(reply)
            }
        }
    }
}
