// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import RunnerProtocol
import RunnerSupport
import Vips

/// The lifetime of one controller. Used on the worker's thread only.
final class Session {
    /// The input of an edit that has started.
    private struct Edit {
        let chain: EditPipeline
        let input: ControllerInput
        let images: InputImages
        let original: MetadataSource?
        let originalProfile: [UInt8]?
        /// Whether the edit or one below it may move pixels.
        let movesPixels: Bool
        /// The selected frame of a video; `nil` for a photo.
        let moment: FrameIdentity?
        /// The full-size input; `nil` until it has been supplied.
        var full: EditPipeline?
        /// The full-size input for previews, created on demand.
        var fullSizePreview: FullSizePreview?
        /// The smaller inputs of previews.
        let reducedInputs: ReducedInputs
    }

    private let library: ExtensionLibrary
    private let libraries: [String: ExtensionLibrary]
    private let runtime: Runtime
    private let controller: Controller
    /// Records reads of sequential images in another order.
    private let reader: PixelSources.Step
    private var edit: Edit?
    private var output: Output?
    /// The file that `finish` returned instead of an image.
    private(set) var renderedFile: RenderedFile?

    /// The output of `finish`.
    private struct Output {
        let recipe: AdjustmentData
        let image: Image
        let failures: FailureWatch
        /// The pipeline with the finished edit as its last step, created when the pixels are pulled a second time.
        var finishedPipeline: EditPipeline?
        var wasPulled = false
    }

    /// Creates the controller.
    init(
        _ library: ExtensionLibrary, _ libraries: [String: ExtensionLibrary], _ runtime: Runtime
    ) throws(RunnerFailure) {
        self.library = library
        self.libraries = libraries
        self.runtime = runtime
        reader = PixelSources.Step(
            extensionIdentifier: library.identifier, failures: FailureWatch())
        controller = try Controller(library, runtime)
        runtime.work.setController(controller.access)
    }

    /// Whether the controller can continue from a recipe.
    func canHandle(_ recipe: AdjustmentData) -> Bool { controller.canHandle(recipe) }

    /// Starts the edit and returns the values of its parameters as JSON.
    func start(_ start: SessionStart, _ received: ReceivedRequest) throws(RunnerFailure) -> Data {
        try runtime.work.check()
        guard edit == nil else {
            throw RunnerFailure(code: .badRequest, message: "the edit has already been started")
        }
        if start.input.moment != nil { _ = try library.videoEditing() }
        runtime.phases.enter(.decoding)
        let original = try received.optional(.metadataSource)
            .map { file throws(RunnerFailure) in try MetadataSource(file: file) }
        let profile = try received.profile(of: original)
        var facts = AssetFacts(start)
        facts.original = OriginalFile(start.input, received)
        let base = try received.base(
            start.input.base, originalProfile: profile, notification: .inputNeeded, runtime)
        let chain = EditPipeline(
            base: base, steps: start.input.steps, facts: facts, libraries: libraries,
            originalProfile: profile, files: try ParameterFiles(start.input.files, received),
            runtime: runtime)
        // The pipeline is closed on failure, because its steps run before the edit is stored.
        defer { if edit == nil { chain.close() } }
        let isReduced = start.reducedFrom != nil
        let images = InputImages(
            chain, after: chain.count, at: .full, accepted: library.description.pixelFormats,
            readBy: reader,
            isFullSizeDeferred: start.isInteractive || isReduced)
        let current = try start.placeholder.map { kind throws(RunnerFailure) in
            try received.placeholder(kind, originalProfile: profile, runtime)
        }
        let input = ControllerInput(
            facts: facts, recipe: start.adjustmentData, images: images,
            scales: try scales(of: chain, start), folder: runtime.folder, work: EditWork(runtime),
            files: EditFiles(parameters: chain.files, extensionFiles: library.host),
            sources: sources(of: chain, current),
            video: start.offersVideo ? InputVideoReader(runtime.video) : nil, isRendering: false)
        edit = Edit(
            chain: chain, input: input, images: images, original: original,
            originalProfile: profile, movesPixels: start.input.movesPixels ?? false,
            moment: facts.moment, full: isReduced ? nil : chain,
            reducedInputs: ReducedInputs(chain))
        try controller.start(
            input, placeholder: try placeholder(current, of: chain, facts))
        return try controller.parameters()
    }

    /// Returns the sizes of the input state. For a reduced input, these are the sizes of the full-size image, which
    /// `finish` works on.
    private func scales(
        of chain: EditPipeline, _ start: SessionStart
    ) throws(RunnerFailure) -> InputScales {
        guard let full = start.reducedFrom else {
            return try chain.scales(after: chain.count, image: nil)
        }
        let display = try chain.displayImage(after: chain.count).size
        return InputScales(
            fullSize: full, fullScale: 1,
            displayScale: Double(display.width) / Double(max(1, full.width)))
    }

    /// Returns the current version at display size. It is lazily decoded.
    private func placeholder(
        _ current: BasePicture?, of chain: EditPipeline, _ facts: AssetFacts
    ) throws(RunnerFailure) -> Image {
        let image =
            if let current {
                try current.displaySize(longerSide: facts.displaySize)
            } else {
                try chain.displayImage(after: chain.count)
            }
        let own = PixelFormat(of: image)
        let nearest = own.nearest(of: library.description.pixelFormats)
        guard nearest != own else { return image }
        return try wrapping("convert the placeholder", code: .badInput) {
            try image.converted(to: nearest)
        }
    }

    /// Returns the sources that the extension reads: its input, and the current version if that differs.
    private func sources(of chain: EditPipeline, _ current: BasePicture?) -> [PixelSources] {
        let input = chain.sources(after: chain.count, readBy: library.identifier)
        guard let current else { return [input] }
        return [
            input,
            PixelSources(
                base: current, extensionIdentifiers: [library.identifier], runtime: runtime),
        ]
    }

    // MARK: - Editing

    /// Changes parameters and returns the values of all of them as JSON.
    func setParameters(
        _ json: Data, _ files: [PackedFile], _ received: ReceivedRequest
    ) throws(RunnerFailure) -> Data {
        try started().chain.files.add(files, received)
        try controller.setParameters(json)
        return try controller.parameters()
    }

    /// Returns the sink of a preview of the edit in its current state, and the size of the whole edited picture at full
    /// size.
    func preview(
        _ view: PreviewView
    ) throws(RunnerFailure) -> (sink: RenderSink, fullSize: PixelSize) {
        let edit = try started()
        let fullSizePreview =
            view.needsFullSize(displaySize: edit.chain.displaySize)
            ? try self.fullSizePreview() : nil
        let chain = fullSizePreview?.chain ?? edit.chain
        if fullSizePreview == nil { try chain.computeDisplayImage(after: chain.count) }
        let failures = FailureWatch()
        let (image, input) =
            if let fullSizePreview {
                (try rendered(view, from: nil, fullSizePreview, edit, failures), PixelSize?.none)
            } else {
                try displayPreview(view, edit, failures)
            }
        let box = view.box ?? PixelSize(width: chain.displaySize, height: chain.displaySize)
        let fitted = try wrapping(
            "fit the preview", code: .extensionFailed, extensionIdentifier: library.identifier
        ) {
            let part = try image.part(view.region)
            return try part.resized(to: part.size.fitted(into: box))
        }
        let size = input.map { fullSize(of: image.size, over: $0, edit) } ?? image.size
        return (sink(fitted, failures, chain, edit), size)
    }

    /// Renders a preview over the display image or a smaller input.
    ///
    /// - Returns: The preview, and the size of its input.
    private func displayPreview(
        _ view: PreviewView, _ edit: Edit, _ failures: FailureWatch
    ) throws(RunnerFailure) -> (image: Image, input: PixelSize?) {
        let inputs = edit.reducedInputs
        let reduced = try inputs.input(for: view)
        let image = try rendered(view, from: reduced, nil, edit, failures)
        let display = try edit.chain.displayImage(after: edit.chain.count)
        guard let reduced else {
            inputs.recordSize(image.size, of: display)
            return (image, display.size)
        }
        if let source = inputs.source(of: image.size, over: reduced, display) {
            return (image, source.size)
        }
        return (try rendered(view, from: nil, nil, edit, failures), display.size)
    }

    /// Renders a preview.
    ///
    /// - Parameter reduced: The input, smaller than at display size.
    private func rendered(
        _ view: PreviewView, from reduced: Image?, _ fullSizePreview: FullSizePreview?,
        _ edit: Edit, _ failures: FailureWatch
    ) throws(RunnerFailure) -> Image {
        let images = edit.images
        let scale = try scale(fullSizePreview, reduced, edit)
        let controllerPreview = ControllerPreview(
            of: view.region, at: scale, edit.moment, over: edit.input
        ) {
            access throws(RunnerFailure) in
            if let reduced { return try images.acceptable(reduced) }
            guard let fullSizePreview else { return try images.display() }
            let image = try images.acceptable(try fullSizePreview.image(access))
            return access == .sequential ? try images.sequential(image) : image
        }
        let image = try controller.renderPreview(controllerPreview)
        return try StepOutput(library: library, originalProfile: edit.originalProfile)
            .accept(
                image, failures, input: try inputHeader(edit.chain),
                profile: controllerPreview.profile)
    }

    /// Returns the size of the edited picture at full size from that of a preview. It is exact if the edit keeps the
    /// size or turns the picture by 90 degrees; otherwise it is an estimate.
    private func fullSize(
        of size: PixelSize, over preview: PixelSize, _ edit: Edit
    ) -> PixelSize {
        let input = edit.input.pointer.pointee
        let full = PixelSize(width: Int(input.full_width), height: Int(input.full_height))
        if size == preview { return full }
        if size == preview.transposed { return full.transposed }
        let scale = Double(full.width) / Double(max(1, preview.width))
        func scaled(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded())) }
        return PixelSize(width: scaled(size.width), height: scaled(size.height))
    }

    /// Returns the full-size input for previews, created once.
    private func fullSizePreview() throws(RunnerFailure) -> FullSizePreview {
        let edit = try started()
        if let known = edit.fullSizePreview { return known }
        guard let full = edit.full else {
            throw RunnerFailure(
                code: .badRequest, message: "the full-size input has not been supplied")
        }
        let made = FullSizePreview(full, runtime)
        self.edit?.fullSizePreview = made
        return made
    }

    private func scale(
        _ fullSizePreview: FullSizePreview?, _ reduced: Image?, _ edit: Edit
    ) throws(RunnerFailure) -> Double {
        guard fullSizePreview == nil else { return 1 }
        let scale = edit.input.pointer.pointee.display_scale
        guard let reduced else { return scale }
        let display = try edit.chain.displayImage(after: edit.chain.count)
        return scale * Double(reduced.width) / Double(display.width)
    }

    /// Sets the full-size input of an edit that was started with a reduced one. See
    /// docs/design/decisions/0024-full-size-pixels-last.md.
    func supplyFullSize(
        _ kind: RenderInput.Base, _ received: ReceivedRequest
    ) throws(RunnerFailure) {
        let edit = try started()
        guard edit.full == nil else {
            throw RunnerFailure(
                code: .badRequest, message: "the edit already has its full-size input")
        }
        let base = try received.base(kind, originalProfile: edit.originalProfile, runtime)
        let full = edit.chain.over(base)
        edit.images.addSources(full.sources(after: full.count, readBy: library.identifier))
        self.edit?.full = full
    }

    /// Finishes the edit. Returns `nil` if there is nothing to commit.
    func finish() throws(RunnerFailure) -> FinishedEdit? {
        let edit = try started()
        guard output == nil, renderedFile == nil else {
            throw RunnerFailure(code: .badRequest, message: "the edit has already been finished")
        }
        guard let full = edit.full else {
            throw RunnerFailure(
                code: .badRequest, message: "the full-size input has not been supplied")
        }
        edit.images.openFullSize(full)
        try edit.images.prepareFullSize()
        guard let finalOutput = try controller.finish() else { return nil }
        var finished = FinishedEdit(adjustmentData: finalOutput.adjustmentData, file: nil)
        // Videos are rendered from the recipe later.
        if edit.moment != nil { return finished }
        guard let image = finalOutput.image else {
            renderedFile = finalOutput.file
            let profile = try finalOutput.profile(
                over: try inputHeader(full), original: edit.originalProfile)
            finished.file = finalOutput.file?.description(profile)
            return finished
        }
        let failures = FailureWatch()
        let accepted = try StepOutput(library: library, originalProfile: edit.originalProfile)
            .accept(image, failures, input: try inputHeader(full), profile: finalOutput.profile)
        output = Output(recipe: finalOutput.adjustmentData, image: accepted, failures: failures)
        return finished
    }

    /// Returns an image with the layout and the profile of the input. Its pixels are never read.
    private func inputHeader(_ chain: EditPipeline) throws(RunnerFailure) -> Image {
        try chain.displayImage(after: chain.count)
    }

    /// Returns the sink of the finished edit. The first sink reads the image that `finish` returned, which can be
    /// read only once. Later pulls re-render the recipe.
    func sink() throws(RunnerFailure) -> RenderSink {
        let edit = try started()
        guard let output, let full = edit.full else {
            throw RunnerFailure(code: .badRequest, message: "the edit has no image to render")
        }
        guard output.wasPulled else {
            self.output?.wasPulled = true
            return sink(output.image, output.failures, full, edit)
        }
        let chain =
            if let finishedPipeline = output.finishedPipeline { finishedPipeline } else {
                full.appending(try step(output.recipe))
            }
        self.output?.finishedPipeline = chain
        return sink(
            try chain.image(after: chain.count), chain.sources(after: chain.count), edit)
    }

    private func step(_ recipe: AdjustmentData) throws(RunnerFailure) -> RenderStep {
        do {
            return RenderStep(
                extensionIdentifier: library.identifier,
                adjustmentData: try recipe.checked())
        } catch {
            throw RunnerFailure(
                code: .extensionFailed, message: "its recipe is unusable: \(error)",
                extensionIdentifier: library.identifier)
        }
    }

    private func sink(
        _ image: Image, _ failures: FailureWatch, _ chain: EditPipeline, _ edit: Edit
    ) -> RenderSink {
        var sources = chain.sources(after: chain.count, readBy: library.identifier)
        let output = PixelSources.Step(
            extensionIdentifier: library.identifier, failures: failures)
        sources.steps += [reader, output]
        return sink(image, sources, edit)
    }

    private func sink(_ image: Image, _ sources: PixelSources, _ edit: Edit) -> RenderSink {
        RenderSink(
            image: image, sources: sources, original: edit.original,
            originalProfile: edit.originalProfile, movesPixels: edit.movesPixels)
    }

    private func started() throws(RunnerFailure) -> Edit {
        try runtime.work.check()
        guard let edit else {
            throw RunnerFailure(code: .badRequest, message: "the edit has not been started")
        }
        return edit
    }

    // MARK: - The end

    /// Destroys the controllers. Works after a cancellation, too.
    func close() {
        runtime.work.setController(nil)
        controller.destroy()
        output?.finishedPipeline?.close()
        output = nil
        renderedFile = nil
        edit?.full?.close()
        edit?.chain.close()
        edit = nil
    }
}
