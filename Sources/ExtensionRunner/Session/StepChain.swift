// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Glibc
import Vips

/// A base picture and steps that are run over it from their recipes, in one pipeline.
///
/// `@unchecked Sendable` is safe: extensions may ask for images from any thread, so everything
/// that changes is touched only under `lock`. It is recursive, because describing a step's image
/// asks for the image below. Code of lower steps runs while it is held; nothing of the host waits
/// for that, but the threads of the edit itself.
final class StepChain: @unchecked Sendable {
    /// Where the pixels come from.
    let base: BasePicture
    private let steps: [RenderStep]
    private let facts: AssetFacts
    private let libraries: [String: ExtensionLibrary]
    private let original: MetadataSource?
    private let runtime: Runtime
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Whether display images are kept in memory for one preview after the other.
    private let isInteractive: Bool
    private var controllers: [Controller] = []
    /// Set when an image could not be described because this step's output is a file.
    private(set) var writtenFile: (step: Int, file: WrittenFile)?
    private var displayImages: [Int: Image] = [:]

    init(
        base: BasePicture, steps: [RenderStep], facts: AssetFacts,
        libraries: [String: ExtensionLibrary], original: MetadataSource?, runtime: Runtime,
        isInteractive: Bool
    ) {
        self.base = base
        self.steps = steps
        self.facts = facts
        self.libraries = libraries
        self.original = original
        self.runtime = runtime
        self.isInteractive = isInteractive
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
        pthread_mutex_init(lock, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// The number of steps.
    var count: Int { steps.count }

    /// The extensions whose code runs when pixels are pulled, each once.
    var extensionIdentifiers: [String] {
        steps.map(\.extensionIdentifier).reduce(into: []) { found, identifier in
            if !found.contains(identifier) { found.append(identifier) }
        }
    }

    /// The same base with one step more.
    func appending(_ step: RenderStep) -> StepChain {
        StepChain(
            base: base, steps: steps + [step], facts: facts, libraries: libraries,
            original: original, runtime: runtime, isInteractive: false)
    }

    // MARK: - Images

    /// The lazy image of the state after some of the steps, at full size.
    func image(after count: Int, access: PixelAccess = .sequential) throws(RunnerFailure) -> Image {
        lockForThisThread()
        defer { unlock() }
        guard count == 0 else {
            return try run(count - 1, over: try image(after: count - 1), at: .full)
        }
        try runtime.activity.check()
        let previous = runtime.phases.enter(.decoding)
        defer { runtime.phases.enter(previous) }
        return try base.fullSize(access: access)
    }

    /// The image of the state at display size, in memory.
    func displayImage(after count: Int) throws(RunnerFailure) -> Image {
        lockForThisThread()
        defer { unlock() }
        if let known = displayImages[count] { return known }
        let image = try makeDisplayImage(after: count)
        displayImages[count] = image
        return image
    }

    private func makeDisplayImage(after count: Int) throws(RunnerFailure) -> Image {
        guard count == 0 else {
            let input = try displayImage(after: count - 1)
            return try settled(
                try run(count - 1, over: input, at: .display), .extensionFailed,
                .pixels(extensionIdentifiers: extensionIdentifiers))
        }
        try runtime.activity.check()
        let image = try base.displaySize(longerSide: facts.displaySize)
        return try settled(image, .badInput, .decoding)
    }

    /// The image fitted to the display size; in memory where it will be read again and again.
    private func settled(
        _ image: Image, _ code: RunnerFailure.Code, _ phase: RunnerPhase
    ) throws(RunnerFailure) -> Image {
        try wrapping("compute the display image", code: code) {
            let box = PixelSize(width: facts.displaySize, height: facts.displaySize)
            let fitted = try image.resized(to: image.size.fitted(into: box))
            guard isInteractive else { return fitted }
            return try runtime.phases.during(phase) {
                try runtime.activity.pulling(fitted) { try $0.copiedToMemory() }
            }
        }
    }

    /// The sizes of a state for the controller that gets it as its input.
    ///
    /// - Parameter image: The state at full size, where it has been described already. Without it
    ///   the size above some steps is reckoned from the display image.
    func scales(after count: Int, image: Image?) throws(RunnerFailure) -> StateScales {
        let photograph = try base.size()
        let box = PixelSize(width: facts.displaySize, height: facts.displaySize)
        var full = image?.size ?? photograph
        if image == nil && count > 0 {
            let displayed = try displayImage(after: count).size
            let scale = displayScale(of: photograph)
            full = PixelSize(
                width: Int((Double(displayed.width) / scale).rounded()),
                height: Int((Double(displayed.height) / scale).rounded()))
        }
        let display = full.fitted(into: box)
        return StateScales(
            fullSize: full, fullScale: 1,
            displayScale: Double(display.width) / Double(max(1, full.width)))
    }

    private func displayScale(of photograph: PixelSize) -> Double {
        let box = PixelSize(width: facts.displaySize, height: facts.displaySize)
        return Double(photograph.fitted(into: box).width) / Double(max(1, photograph.width))
    }

    // MARK: - Steps

    private func run(
        _ index: Int, over input: Image, at scale: StateScale
    ) throws(RunnerFailure) -> Image {
        let step = steps[index]
        let library = try library(step.extensionIdentifier)
        let controller = try Controller(library, runtime)
        controllers.append(controller)
        guard controller.canHandle(step.adjustmentData) else {
            throw RunnerFailure(
                code: .cannotHandle,
                message: "it cannot continue its recipe \(step.adjustmentData.formatIdentifier) "
                    + step.adjustmentData.formatVersion,
                extensionIdentifier: library.identifier)
        }
        let foreign = try foreignInput(index, step, library, input, scale)
        let placeholder = try foreign.images.display()
        try controller.start(foreign.input, placeholder: placeholder)
        guard let output = try controller.finish() else {
            throw RunnerFailure(
                code: .extensionFailed, message: "it gave no output for its recipe",
                extensionIdentifier: library.identifier)
        }
        return try image(of: output, index, library, input, foreign.input)
    }

    private func foreignInput(
        _ index: Int, _ step: RenderStep, _ library: ExtensionLibrary, _ image: Image,
        _ scale: StateScale
    ) throws(RunnerFailure) -> (input: ControllerInput, images: StateImages) {
        let images = StateImages(
            self, after: index, at: scale, accepted: library.description.pixelFormats,
            first: index > 0 ? image : nil)
        var scales = try scales(after: index, image: image)
        if case .display = scale {
            let reduction = displayScale(of: try base.size())
            scales = StateScales(
                fullSize: image.size, fullScale: reduction, displayScale: reduction)
        }
        let input = ControllerInput(
            facts: facts, recipe: step.adjustmentData, images: images, scales: scales,
            folder: runtime.folder)
        return (input, images)
    }

    private func image(
        of output: ControllerOutput, _ index: Int, _ library: ExtensionLibrary, _ input: Image,
        _ foreign: ControllerInput
    ) throws(RunnerFailure) -> Image {
        if let image = output.image {
            return try StepOutput(library: library, original: original)
                .accept(image, input: input, profile: output.profile)
        }
        let type = output.contentType ?? ""
        guard let file = foreign.writtenFile(type) else {
            throw StepOutput.noFile(type, library.identifier)
        }
        writtenFile = (index, file)
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

    /// Destroys the controllers of the steps. No pixel may be pulled any more.
    func close() {
        lockForThisThread()
        defer { unlock() }
        displayImages = [:]
        for controller in controllers.reversed() { controller.destroy() }
        controllers = []
    }

    private func lockForThisThread() { pthread_mutex_lock(lock) }
    private func unlock() { pthread_mutex_unlock(lock) }
}
