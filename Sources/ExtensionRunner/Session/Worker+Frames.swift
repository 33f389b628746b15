// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import RunnerSupport

extension Worker {
    /// Runs the steps of the open sequence over a frame.
    func process(_ job: FrameJob, _ incoming: Incoming) throws(RunnerFailure) -> RunnerReply {
        let frames = try openFrames()
        let pull = try frames.pull(job, incoming)
        let image = pull.image
        let raw = try RawOutput(
            pull,
            report: RenderReport(
                width: image.width, height: image.height, byteCount: 0, facts: nil,
                fullSizeDecodes: 0, warnings: frames.warnings), chain: nil)
        guard let wanted = job.output else {
            rawOutput = raw
            return .outputNeeded(raw.layout)
        }
        guard wanted == raw.layout else {
            throw RunnerFailure(
                code: .extensionFailed,
                message: "a frame of its output has \(raw.layout.width) by \(raw.layout.height) "
                    + "pixels, and the first had \(wanted.width) by \(wanted.height)")
        }
        guard let file = incoming.optional(.reusedOutput),
            let mapping = runtime.mappings.mapping(of: file, isWritable: true)
        else {
            throw RunnerFailure(code: .outputFailed, message: "the output cannot be mapped")
        }
        return .rendered(try raw.write(into: mapping, profile: nil))
    }

    /// Ends the open sequence.
    func closeFrames() throws(RunnerFailure) -> RunnerReply {
        let frames = try openFrames()
        defer {
            frames.close()
            self.frames = nil
        }
        try frames.finish()
        return .done
    }

    private func openFrames() throws(RunnerFailure) -> FrameSequence {
        guard let frames else {
            throw RunnerFailure(code: .badRequest, message: "no frames are open")
        }
        return frames
    }
}
