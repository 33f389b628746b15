// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import RunnerSupport
import Vips

/// Steps that process the frames of a video in sequence with the same controllers. Used on the worker's thread only.
final class FrameSequence {
    private let input: RenderInput
    private let timing: FrameTiming
    private let facts: AssetFacts
    private let libraries: [String: ExtensionLibrary]
    private let runtime: Runtime
    private let controllers = FrameControllers()
    /// The pipeline of the first frame, which the controllers receive when they are started. Its memory stays valid.
    private let first: EditPipeline
    private var isFirst = true
    private var hasAlpha = false

    /// Opens the first frame. The controllers are started when it is processed.
    init(
        _ input: RenderInput, _ received: ReceivedRequest, _ libraries: [String: ExtensionLibrary],
        _ runtime: Runtime
    ) throws(RunnerFailure) {
        guard let moment = input.moment, case .raw = input.base else {
            throw RunnerFailure(
                code: .badRequest, message: "the pixels of the first frame are missing")
        }
        self.input = input
        self.libraries = libraries
        self.runtime = runtime
        timing = moment.timing
        controllers.ranges = try Self.keptRanges(
            by: input.steps, of: moment.timing, libraries, runtime.phases)
        var facts = AssetFacts(input, nil)
        facts.original = OriginalFile(input, received)
        self.facts = facts
        first = EditPipeline(
            base: try received.base(input.base, originalProfile: nil, runtime),
            steps: input.steps, facts: facts, libraries: libraries, originalProfile: nil,
            files: try ParameterFiles(input.files, received), runtime: runtime,
            baseScale: input.baseScale, controllers: controllers)
    }

    /// Returns the ranges of a video that the steps keep, each applied to the result of the previous one.
    static func keptRanges(
        by steps: [RenderStep], of whole: FrameTiming, _ libraries: [String: ExtensionLibrary],
        _ phases: PhaseReporter
    ) throws(RunnerFailure) -> [KeptRange] {
        var ranges: [KeptRange] = []
        for step in steps {
            let identifier = step.extensionIdentifier
            let timing = ranges.last?.timing ?? whole
            guard let calls = libraries[identifier]?.range else {
                ranges.append(KeptRange(timing: timing, leavesFrames: false))
                continue
            }
            phases.enter(.calling(extensionIdentifier: identifier, call: "narrow"))
            ranges.append(try calls.range(of: step.adjustmentData, in: timing, identifier))
        }
        return ranges
    }

    /// Returns the sink of a processed frame.
    func sink(_ job: FrameJob, _ received: ReceivedRequest) throws(RunnerFailure) -> RenderSink {
        let chain = try chain(of: job, received)
        return try sink(try chain.image(after: chain.count), chain)
    }

    private func sink(
        _ image: Image, _ chain: EditPipeline
    ) throws(RunnerFailure) -> RenderSink {
        hasAlpha = hasAlpha || image.bands > 3
        // The video encoders in use do not support alpha.
        let opaque = try wrapping("leave out the alpha", code: .extensionFailed) {
            image.bands > 3 ? try image.applying("extract_band", ["band": 0, "n": 3]) : image
        }
        return RenderSink(
            image: opaque, sources: chain.sources(after: chain.count), original: nil,
            originalProfile: nil)
    }

    // MARK: - A step that generates frames

    /// The pipeline of the most recently put frame.
    private var current: EditPipeline?
    private var times: GeneratedFrameTimes?

    /// Passes a frame to the step; `nil` after the last one.
    func put(_ job: FrameJob?, _ received: ReceivedRequest) throws(RunnerFailure) {
        let calls = try frameGenerator().1
        guard let job else {
            try controllers.onlyController().putFrame(nil, with: calls)
            return
        }
        let chain = try chain(of: job, received)
        current = chain
        if times == nil { times = GeneratedFrameTimes(FrameIdentity(timing, job.time)) }
        try chain.putFrame(with: calls)
    }

    /// Returns the next frame that the step has generated with its presentation time; `nil` if the step needs another
    /// input frame first.
    func take() throws(RunnerFailure) -> (sink: RenderSink, moment: FrameIdentity)? {
        let (library, calls) = try frameGenerator()
        guard let chain = current,
            let generated = try controllers.onlyController().takeFrame(with: calls)
        else { return nil }
        guard let time = times?.next(generated.time) else {
            throw RunnerFailure(
                code: .extensionFailed,
                message:
                    "take_frame returned a frame at \(generated.time), which is not inside the "
                    + "video and at least a millisecond after the previous one",
                extensionIdentifier: identifier)
        }
        let image = try chain.accept(generated, of: library)
        return (try sink(image, chain), FrameIdentity(timing, time))
    }

    private var identifier: String? { input.steps.first?.extensionIdentifier }

    /// The extension of the only step; `nil` if there are several.
    var onlyIdentifier: String? { input.steps.count == 1 ? identifier : nil }

    private func frameGenerator() throws(RunnerFailure) -> (ExtensionLibrary, VideoCalls) {
        guard let identifier, let library = libraries[identifier],
            case .whole(let calls) = try library.videoEditing()
        else {
            throw RunnerFailure(
                code: .badRequest, message: "the step makes no frames of its own")
        }
        return (library, calls)
    }

    // MARK: - The end

    /// The warnings about the frames so far.
    var warnings: [String] {
        hasAlpha ? ["its transparency is omitted, because videos have none"] : []
    }

    private func chain(_ job: FrameJob, of base: BasePicture) -> EditPipeline {
        var facts = facts
        facts.moment = FrameIdentity(timing, job.time)
        return EditPipeline(
            base: base, steps: input.steps, facts: facts, libraries: libraries,
            originalProfile: nil, files: first.files, runtime: runtime,
            baseScale: input.baseScale, controllers: controllers)
    }

    private func chain(
        of job: FrameJob, _ received: ReceivedRequest
    ) throws(RunnerFailure) -> EditPipeline {
        guard !isFirst else {
            isFirst = false
            return first
        }
        return chain(job, of: try received.base(.raw(job.layout), originalProfile: nil, runtime))
    }

    /// Finishes the controllers after the last frame.
    func finish() throws(RunnerFailure) { try controllers.finish() }

    /// Destroys the controllers. No frame can be processed afterwards.
    func close() {
        first.close()
        controllers.destroy()
    }
}
