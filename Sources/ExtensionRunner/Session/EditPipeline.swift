// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Glibc
import RunnerProtocol
import RunnerSupport
import Vips

/// A base picture and the steps rendered over it from their recipes, in one pipeline.
///
/// Extensions may request images from any thread. The controllers of the steps are called only on the session's
/// thread, which created the pipeline. Images that need a step to run are therefore created on that thread, before an
/// extension can request them on another.
///
/// `@unchecked Sendable` is safe: `run` and `close` access `controllers`, `frameStates`, `computed` and `writtenFile`
/// only on the session's thread. All other properties are constant or have a lock.
final class EditPipeline: @unchecked Sendable {
    /// The picture below all steps.
    let base: BasePicture
    private let steps: [RenderStep]
    private let facts: AssetFacts
    private let libraries: [String: ExtensionLibrary]
    private let originalProfile: [UInt8]?
    private let runtime: Runtime
    /// The files referenced by the parameters of the steps and of an edit above them.
    let files: ParameterFiles
    /// The failures of the pixels of each step.
    private let failures: [FailureWatch]
    private let thread = pthread_self()
    /// The width of the base relative to the full-size picture, 1 if it is not reduced.
    private let baseScale: Double
    private var controllers: [Controller] = []
    /// The controllers of a sequence of frames, which outlive the pipeline of one frame.
    private let frameControllers: FrameControllers
    private let ownsFrameControllers: Bool
    /// The states of a frame by the number of steps below, each rendered once.
    private var frameStates: [Int: Image] = [:]
    /// Set when an image is unavailable because the output of a step is a file.
    private(set) var writtenFile: (step: Int, file: RenderedFile, profile: ColorProfile)?
    private let displayImages = LockedValue([Int: Image]())
    /// The states whose display images are in memory.
    private var computed: Set<Int> = []

    init(
        base: BasePicture, steps: [RenderStep], facts: AssetFacts,
        libraries: [String: ExtensionLibrary], originalProfile: [UInt8]?,
        files: ParameterFiles, runtime: Runtime, baseScale: Double? = nil,
        controllers: FrameControllers? = nil
    ) {
        frameControllers = controllers ?? FrameControllers()
        ownsFrameControllers = controllers == nil
        self.files = files
        self.base = base
        self.steps = steps
        self.facts = facts
        self.libraries = libraries
        self.originalProfile = originalProfile
        self.runtime = runtime
        failures = steps.map { _ in FailureWatch() }
        self.baseScale = baseScale.map { $0 > 0 && $0 < 1 ? $0 : 1 } ?? 1
    }

    /// Whether the current thread can run steps.
    var isOnSessionThread: Bool { pthread_equal(thread, pthread_self()) != 0 }

    /// The maximum length of the longer side of display images, in pixels.
    var displaySize: Int { facts.displaySize }

    var count: Int { steps.count }

    /// Whether the picture is a frame of a video.
    var isFrame: Bool { facts.moment != nil }

    /// The extensions whose code runs when pixels are pulled, without duplicates.
    var extensionIdentifiers: [String] {
        Self.unique(steps.map(\.extensionIdentifier))
    }

    private static func unique(_ identifiers: [String]) -> [String] {
        identifiers.reduce(into: []) { found, identifier in
            if !found.contains(identifier) { found.append(identifier) }
        }
    }

    /// Returns the sources of the state after the first `count` steps.
    ///
    /// - Parameter reader: The extension that reads the state.
    func sources(after count: Int, readBy reader: String? = nil) -> PixelSources {
        let identifiers = steps.prefix(count).map(\.extensionIdentifier)
        return PixelSources(
            base: base,
            steps: zip(identifiers, failures).map { identifier, failures in
                PixelSources.Step(extensionIdentifier: identifier, failures: failures)
            },
            extensionIdentifiers: Self.unique(identifiers + [reader].compactMap(\.self)),
            runtime: runtime)
    }

    /// Returns the sources of a step alone, without the states below it.
    func sources(of step: PixelSources.Step) -> PixelSources {
        PixelSources(
            base: nil, steps: [step], extensionIdentifiers: [step.extensionIdentifier],
            runtime: runtime)
    }

    /// Returns a pipeline with the same base and one more step.
    func appending(_ step: RenderStep) -> EditPipeline {
        EditPipeline(
            base: base, steps: steps + [step], facts: facts, libraries: libraries,
            originalProfile: originalProfile, files: files, runtime: runtime,
            baseScale: baseScale)
    }

    /// Returns a pipeline without steps for the same photo over other pixels.
    func over(_ base: BasePicture) -> EditPipeline {
        EditPipeline(
            base: base, steps: [], facts: facts, libraries: libraries,
            originalProfile: originalProfile, files: files, runtime: runtime)
    }

    // MARK: - Images

    /// Returns the lazy full-size image of the state after the first `count` steps. With steps, it must be called on
    /// the session's thread.
    func image(after count: Int, access: PixelAccess = .sequential) throws(RunnerFailure) -> Image {
        guard count == 0 else {
            if let known = frameStates[count] { return known }
            let image = try run(count - 1, over: try image(after: count - 1), at: .full)
            if facts.moment != nil { frameStates[count] = image }
            return image
        }
        try runtime.work.check()
        // Frames may be read in random order.
        let access = facts.moment == nil ? access : .random
        // Phases are reported only on the worker's thread.
        guard isOnSessionThread else { return try base.fullSize(access: access) }
        let previous = runtime.phases.enter(.decoding)
        defer { runtime.phases.enter(previous) }
        return try base.fullSize(access: access)
    }

    /// Returns the image of the state at display size, with random access. It is lazily decoded. With steps, it is
    /// first created on the session's thread, always before the state is passed to an extension.
    func displayImage(after count: Int) throws(RunnerFailure) -> Image {
        if let known = displayImages.access({ $0[count] }) { return known }
        let image = try describedDisplayImage(after: count)
        displayImages.access { $0[count] = image }
        return image
    }

    private func describedDisplayImage(after count: Int) throws(RunnerFailure) -> Image {
        guard count == 0 else {
            // A controller processes a frame only once.
            if facts.moment != nil {
                return try fitted(try image(after: count), count, .extensionFailed)
            }
            let input = try displayImage(after: count - 1)
            return try fitted(
                try run(count - 1, over: input, at: .display), count, .extensionFailed)
        }
        try runtime.work.check()
        let image = try base.displaySize(longerSide: facts.displaySize)
        return try fitted(image, 0, .badInput)
    }

    private func fitted(
        _ image: Image, _ count: Int, _ code: RunnerFailure.Code
    ) throws(RunnerFailure) -> Image {
        try sources(after: count).computing("describe the display image", code: code) {
            let box = PixelSize(width: facts.displaySize, height: facts.displaySize)
            return try image.resized(to: image.size.fitted(into: box))
        }
    }

    /// Returns the image of the state with its longer side at most `longerSide` pixels and at most display size, in
    /// memory. Without steps, it is decoded as small as the format allows.
    func reducedImage(after count: Int, longerSide: Int) throws(RunnerFailure) -> Image {
        try runtime.work.check()
        let side = min(max(1, longerSide), facts.displaySize)
        let isDecoded = count == 0 && facts.moment == nil
        let image =
            isDecoded
            ? try base.displaySize(longerSide: side) : try displayImage(after: count)
        return try reducedImage(
            of: image, after: count,
            to: image.size.fitted(into: PixelSize(width: side, height: side)))
    }

    /// Returns an image of a state with another size, in memory.
    func reducedImage(
        of image: Image, after count: Int, to size: PixelSize
    ) throws(RunnerFailure) -> Image {
        try sources(after: count).computing(
            "compute the reduced image", code: count == 0 ? .badInput : .extensionFailed
        ) {
            try image.resized(to: size).copiedToMemory()
        }
    }

    /// Computes the display image into memory, because a series of previews reads it. Idempotent.
    func computeDisplayImage(after count: Int) throws(RunnerFailure) {
        guard !computed.contains(count) else { return }
        let image = try displayImage(after: count)
        let phase =
            count == 0
            ? RunnerPhase.decoding : .pixels(extensionIdentifiers: extensionIdentifiers)
        let inMemory = try sources(after: count).computing(
            "compute the display image", code: count == 0 ? .badInput : .extensionFailed
        ) {
            try runtime.phases.during(phase) {
                try runtime.work.pulling(image) { try $0.copiedToMemory() }
            }
        }
        displayImages.access { $0[count] = inMemory }
        computed.insert(count)
    }

    /// Returns the sizes of a state for the controller whose input it is.
    ///
    /// - Parameter image: The state at full size, if it has already been created. Otherwise the size above steps is
    ///   estimated from the display image.
    func scales(after count: Int, image: Image?) throws(RunnerFailure) -> InputScales {
        let photo = try base.size()
        let box = PixelSize(width: facts.displaySize, height: facts.displaySize)
        var full = image?.size ?? photo
        if image == nil && count > 0 {
            let displayed = try displayImage(after: count).size
            let reduced = photo.fitted(into: box)
            full = PixelSize(
                width: Self.scaled(displayed.width, photo.width, reduced.width),
                height: Self.scaled(displayed.height, photo.height, reduced.height))
        }
        let display = full.fitted(into: box)
        return InputScales(
            fullSize: full, fullScale: baseScale,
            displayScale: baseScale * Double(display.width) / Double(max(1, full.width)))
    }

    /// Estimates the side of a state at full size from its reduction. Exact if the steps keep the size.
    private static func scaled(_ side: Int, _ full: Int, _ reduced: Int) -> Int {
        Int((Double(side) * Double(full) / Double(max(1, reduced))).rounded())
    }

    private func displayScale(of photo: PixelSize) -> Double {
        let box = PixelSize(width: facts.displaySize, height: facts.displaySize)
        return Double(photo.fitted(into: box).width) / Double(max(1, photo.width))
    }

    // MARK: - Steps

    private func run(
        _ index: Int, over input: Image, at scale: InputScale
    ) throws(RunnerFailure) -> Image {
        guard isOnSessionThread else {
            throw RunnerFailure(
                code: .badRequest,
                message: "further images of an edited picture can be made only on the "
                    + "session's thread")
        }
        if let moment = facts.moment { return try process(moment, index, input) }
        let (controller, library) = try started(index, over: input, at: scale)
        guard let output = try controller.finish() else {
            throw RunnerFailure(
                code: .extensionFailed, message: "it returned no output for its stored recipe",
                extensionIdentifier: library.identifier)
        }
        return try image(of: output, index, library, input)
    }

    /// Starts a controller with the recipe of a step.
    private func started(
        _ index: Int, over input: Image, at scale: InputScale
    ) throws(RunnerFailure) -> (Controller, ExtensionLibrary) {
        let step = steps[index]
        let library = try library(step.extensionIdentifier)
        if facts.moment != nil { _ = try library.videoEditing() }
        let controller = try Controller(library, runtime)
        // The controllers of frames are moved to `frameControllers` once they have started.
        controllers.append(controller)
        guard controller.canHandle(step.adjustmentData) else {
            throw RunnerFailure(
                code: .cannotHandle,
                message: "the extension cannot apply the stored recipe, of the format "
                    + "\(step.adjustmentData.formatIdentifier) "
                    + step.adjustmentData.formatVersion
                    + "; install a version that can with edithost extensions install, or "
                    + "replace it with edithost extensions replace",
                extensionIdentifier: library.identifier)
        }
        let stepInput = try stepInput(index, step, library, input, scale)
        let placeholder = try stepInput.images.display()
        try controller.start(stepInput.input, placeholder: placeholder)
        if let livePhoto = facts.livePhoto, let moment = facts.moment,
            let calls = library.livePhoto
        {
            try controller.beginVideo(
                of: livePhoto, from: frameControllers.moment(moment, of: index), with: calls)
        }
        return (controller, library)
    }

    /// Runs a step over a frame.
    private func process(
        _ moment: FrameIdentity, _ index: Int, _ input: Image
    ) throws(RunnerFailure) -> Image {
        if frameControllers.leavesFrames(index) { return input }
        let (controller, frame) = try frame(moment, index, input)
        let library = controller.library
        let output =
            switch try library.videoEditing(isSingle: true) {
            case .frames(let calls): try controller.processFrame(frame, with: calls)
            case .whole(let calls): try Self.processSingleFrame(frame, controller, calls)
            }
        return try StepOutput(library: library, originalProfile: originalProfile)
            .accept(output, failures[index], input: input, profile: nil)
    }

    /// Processes a single frame with an extension that generates frames.
    private static func processSingleFrame(
        _ frame: ControllerFrame, _ controller: Controller, _ calls: VideoCalls
    ) throws(RunnerFailure) -> Image {
        try controller.putFrame(frame, with: calls)
        try controller.putFrame(nil, with: calls)
        guard let generated = try controller.takeFrame(with: calls) else {
            throw RunnerFailure(
                code: .extensionFailed, message: "take_frame returned no frame for the only one",
                extensionIdentifier: controller.library.identifier)
        }
        return generated.image
    }

    /// Returns the controller of a step, started for the first frame, and the frame for it.
    private func frame(
        _ moment: FrameIdentity, _ index: Int, _ input: Image
    ) throws(RunnerFailure) -> (Controller, ControllerFrame) {
        let controller = try frameControllers.controller(of: index) { () throws(RunnerFailure) in
            let started = try started(index, over: input, at: .full).0
            controllers.removeLast()
            return started
        }
        let images = InputImages(
            self, after: index, at: .full,
            accepted: controller.library.description.pixelFormats, readBy: reader(index))
        let frame = ControllerFrame(
            image: try images.acceptable(input),
            moment: frameControllers.moment(moment, of: index), scale: baseScale)
        return (controller, frame)
    }

    /// Passes the frame to the only step, which generates frames.
    func putFrame(with calls: VideoCalls) throws(RunnerFailure) {
        guard let moment = facts.moment, steps.count == 1 else { throw Self.requiresSingleStep }
        let (controller, frame) = try frame(moment, 0, try image(after: 0))
        try controller.putFrame(frame, with: calls)
    }

    /// Returns the working image of a frame that the only step has generated.
    func accept(_ generated: GeneratedFrame, of library: ExtensionLibrary) throws(RunnerFailure)
        -> Image
    {
        guard steps.count == 1 else { throw Self.requiresSingleStep }
        return try StepOutput(library: library, originalProfile: originalProfile)
            .accept(generated.image, failures[0], input: try image(after: 0), profile: nil)
    }

    private static var requiresSingleStep: RunnerFailure {
        RunnerFailure(
            code: .badRequest,
            message: "an extension that makes frames must be the only step of its "
                + "runner")
    }

    private func stepInput(
        _ index: Int, _ step: RenderStep, _ library: ExtensionLibrary, _ image: Image,
        _ scale: InputScale
    ) throws(RunnerFailure) -> (input: ControllerInput, images: InputImages) {
        let images = InputImages(
            self, after: index, at: scale, accepted: library.description.pixelFormats,
            readBy: reader(index), first: index > 0 ? image : nil)
        var scales = try scales(after: index, image: image)
        if case .display = scale {
            let reduction = baseScale * displayScale(of: try base.size())
            scales = InputScales(
                fullSize: image.size, fullScale: reduction, displayScale: reduction)
        }
        let input = ControllerInput(
            facts: facts, recipe: step.adjustmentData, images: images, scales: scales,
            folder: runtime.folder, work: EditWork(runtime),
            files: EditFiles(parameters: files, extensionFiles: library.host),
            sources: [sources(after: index, readBy: step.extensionIdentifier)])
        return (input, images)
    }

    private func reader(_ index: Int) -> PixelSources.Step {
        PixelSources.Step(
            extensionIdentifier: steps[index].extensionIdentifier, failures: failures[index])
    }

    private func image(
        of output: ControllerOutput, _ index: Int, _ library: ExtensionLibrary, _ input: Image
    ) throws(RunnerFailure) -> Image {
        if let image = output.image {
            return try StepOutput(library: library, originalProfile: originalProfile)
                .accept(image, failures[index], input: input, profile: output.profile)
        }
        let profile = try output.profile(over: input, original: originalProfile)
        writtenFile = output.file.map { (index, $0, profile) }
        throw RunnerFailure(
            code: .extensionFailed, message: "its output is a file",
            extensionIdentifier: library.identifier)
    }

    private func library(_ identifier: String) throws(RunnerFailure) -> ExtensionLibrary {
        guard let library = libraries[identifier] else {
            throw RunnerFailure(
                code: .badRequest, message: "the extension \(identifier) has not been loaded")
        }
        return library
    }

    // MARK: - The end

    /// Destroys the controllers of the steps. No pixels may be pulled afterwards.
    func close() {
        displayImages.access { $0 = [:] }
        computed = []
        frameStates = [:]
        if ownsFrameControllers { frameControllers.destroy() }
        for controller in controllers.reversed() { controller.destroy() }
        controllers = []
    }
}
