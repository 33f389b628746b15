// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import RunnerSupport

extension Worker {
    /// Runs the steps of the open sequence over a frame.
    func process(_ job: FrameJob, _ received: ReceivedRequest) throws(RunnerFailure) -> RunnerReply
    {
        try deliver(try openFrames().sink(job, received), nil, job.output, received)
    }

    /// Returns the next frame that the step of the open sequence has generated.
    func takeFrame(_ expected: UncompressedLayout?, _ received: ReceivedRequest)
        throws(RunnerFailure)
        -> RunnerReply
    {
        guard let (sink, moment) = try openFrames().take() else { return .frame(nil) }
        return try deliver(sink, moment, expected, received)
    }

    private func deliver(
        _ sink: RenderSink, _ moment: FrameIdentity?, _ expected: UncompressedLayout?,
        _ received: ReceivedRequest
    ) throws(RunnerFailure) -> RunnerReply {
        let image = sink.image
        var report = RenderReport(
            width: image.width, height: image.height, byteCount: 0, facts: nil,
            fullSizeDecodes: 0, warnings: try openFrames().warnings)
        report.moment = moment
        let raw = try UncompressedOutput(sink, report: report, chain: nil)
        guard let expected else {
            rawOutput = raw
            return .outputNeeded(raw.layout)
        }
        guard expected == raw.layout else {
            throw RunnerFailure(
                code: .extensionFailed,
                message: "a frame of its output has \(raw.layout.width) by "
                    + "\(raw.layout.height) pixels, but the first had \(expected.width) by "
                    + "\(expected.height)",
                extensionIdentifier: try openFrames().onlyIdentifier)
        }
        guard let file = received.optional(.reusedOutput),
            let mapping = runtime.mappings.mapping(of: file, isWritable: true)
        else {
            throw RunnerFailure(code: .outputFailed, message: "the output cannot be mapped")
        }
        return .rendered(try raw.write(into: mapping, profile: nil))
    }

    /// Closes the open sequence.
    func closeFrames() throws(RunnerFailure) -> RunnerReply {
        let frames = try openFrames()
        defer {
            frames.close()
            self.frames = nil
        }
        try frames.finish()
        return .done
    }

    func openFrames() throws(RunnerFailure) -> FrameSequence {
        guard let frames else {
            throw RunnerFailure(code: .badRequest, message: "no frames are open")
        }
        return frames
    }
}
