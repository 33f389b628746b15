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
    /// The chain of the first frame, which the controllers receive at their start. Its memory stays valid.
    private let first: StepChain
    private var isFirst = true
    private var hasAlpha = false

    /// Opens the first frame. The controllers are started when it is processed.
    init(
        _ input: RenderInput, _ incoming: Incoming, _ libraries: [String: ExtensionLibrary],
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
        controllers.ranges = try Self.kept(
            by: input.steps, of: moment.timing, libraries, runtime.phases)
        var facts = AssetFacts(input, nil)
        facts.original = OriginalFile(input, incoming)
        self.facts = facts
        first = StepChain(
            base: try incoming.base(input.base, originalProfile: nil, runtime),
            steps: input.steps, facts: facts, libraries: libraries, originalProfile: nil,
            files: try ParameterFiles(input.files, incoming), runtime: runtime,
            baseScale: input.baseScale, controllers: controllers)
    }

    /// Returns the ranges of a video that the steps keep, each applied to the result of the previous one.
    static func kept(
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

    /// Returns the pull of a processed frame.
    func pull(_ job: FrameJob, _ incoming: Incoming) throws(RunnerFailure) -> PixelPull {
        let chain = try chain(of: job, incoming)
        return try pull(try chain.image(after: chain.count), chain)
    }

    private func pull(
        _ image: Image, _ chain: StepChain
    ) throws(RunnerFailure) -> PixelPull {
        hasAlpha = hasAlpha || image.bands > 3
        // The video encoders in use do not support alpha.
        let opaque = try wrapping("leave out the alpha", code: .extensionFailed) {
            image.bands > 3 ? try image.applying("extract_band", ["band": 0, "n": 3]) : image
        }
        return PixelPull(
            image: opaque, sources: chain.sources(after: chain.count), original: nil,
            originalProfile: nil)
    }

    // MARK: - A step that generates frames

    /// The chain of the most recently put frame.
    private var current: StepChain?
    private var times: MadeTimes?

    /// Passes a frame to the step, `nil` after the last one.
    func put(_ job: FrameJob?, _ incoming: Incoming) throws(RunnerFailure) {
        let calls = try maker().1
        guard let job else {
            try controllers.only().putFrame(nil, with: calls)
            return
        }
        let chain = try chain(of: job, incoming)
        current = chain
        if times == nil { times = MadeTimes(FrameMoment(timing, job.time)) }
        try chain.putFrame(with: calls)
    }

    /// Returns the next frame that the step has generated with its presentation time, `nil` if the step needs another
    /// input frame first.
    func take() throws(RunnerFailure) -> (pull: PixelPull, moment: FrameMoment)? {
        let (library, calls) = try maker()
        guard let chain = current,
            let made = try controllers.only().takeFrame(with: calls)
        else { return nil }
        guard let time = times?.next(made.time) else {
            throw RunnerFailure(
                code: .extensionFailed,
                message:
                    "take_frame returned a frame at \(made.time), which is not inside the "
                    + "video and at least a millisecond after the previous one",
                extensionIdentifier: identifier)
        }
        let image = try chain.accept(made, of: library)
        return (try pull(image, chain), FrameMoment(timing, time))
    }

    private var identifier: String? { input.steps.first?.extensionIdentifier }

    /// The extension of the only step, `nil` if there are several.
    var onlyIdentifier: String? { input.steps.count == 1 ? identifier : nil }

    private func maker() throws(RunnerFailure) -> (ExtensionLibrary, VideoCalls) {
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
        hasAlpha ? ["its transparency is left out, because videos have none"] : []
    }

    private func chain(_ job: FrameJob, of base: BasePicture) -> StepChain {
        var facts = facts
        facts.moment = FrameMoment(timing, job.time)
        return StepChain(
            base: base, steps: input.steps, facts: facts, libraries: libraries,
            originalProfile: nil, files: first.files, runtime: runtime,
            baseScale: input.baseScale, controllers: controllers)
    }

    private func chain(
        of job: FrameJob, _ incoming: Incoming
    ) throws(RunnerFailure) -> StepChain {
        guard !isFirst else {
            isFirst = false
            return first
        }
        return chain(job, of: try incoming.base(.raw(job.layout), originalProfile: nil, runtime))
    }

    /// Finishes the controllers after the last frame.
    func finish() throws(RunnerFailure) { try controllers.finish() }

    /// Destroys the controllers. No frame can be processed afterwards.
    func close() {
        first.close()
        controllers.destroy()
    }
}

/// The controllers of a sequence of frames, by the index of their step. Used on the session's thread.
///
/// `@unchecked Sendable` is safe: `StepChain` ensures that only that thread accesses it.
final class FrameControllers: @unchecked Sendable {
    private var started: [Int: Controller] = [:]
    /// The range that each step keeps, empty if unknown.
    var ranges: [KeptRange] = []

    /// Returns the moment of a frame in the input of a step. Edits above a trimmed video see the trimmed timeline.
    func moment(_ moment: FrameMoment, of index: Int) -> FrameMoment {
        guard ranges.indices.contains(index - 1) else { return moment }
        return FrameMoment(ranges[index - 1].timing, moment.time)
    }

    /// Whether a step returns its frames unchanged.
    func leavesFrames(_ index: Int) -> Bool {
        ranges.indices.contains(index) && ranges[index].leavesFrames
    }

    /// Returns the controller of a step and starts it for the first frame.
    func controller(
        of index: Int, _ start: () throws(RunnerFailure) -> Controller
    ) throws(RunnerFailure) -> Controller {
        if let known = started[index] { return known }
        let controller = try start()
        started[index] = controller
        return controller
    }

    /// Returns the controller of the only step.
    ///
    /// - Throws: `badRequest` if no frame has been put yet.
    func only() throws(RunnerFailure) -> Controller {
        guard let controller = started[0], started.count == 1 else {
            throw RunnerFailure(code: .badRequest, message: "no frame has been put yet")
        }
        return controller
    }

    /// Finishes all controllers in the order of their steps and discards their output.
    func finish() throws(RunnerFailure) {
        for (_, controller) in started.sorted(by: { $0.key < $1.key }) {
            _ = try controller.finish()
        }
    }

    /// Destroys all controllers, the last step's first.
    func destroy() {
        for (_, controller) in started.sorted(by: { $0.key > $1.key }) { controller.destroy() }
        started = [:]
    }
}
