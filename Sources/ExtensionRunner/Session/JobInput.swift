// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Vips

/// The input of a job, opened.
struct JobInput {
    /// Base and steps.
    let chain: StepChain
    /// The base's facts; nil for raw pixels.
    let facts: PhotoFacts?
    private let original: MetadataSource?
    private let runtime: Runtime

    init(
        _ input: RenderInput, _ incoming: Incoming, _ libraries: [String: ExtensionLibrary],
        _ runtime: Runtime
    ) throws(RunnerFailure) {
        self.runtime = runtime
        let original = try incoming.optional(.metadataSource)
            .map { file throws(RunnerFailure) in try MetadataSource(file: file) }
        self.original = original
        let base = try BasePicture(
            input.base, file: try incoming.descriptor(.base), original: original,
            decodes: runtime.decodes)
        facts = try base.decoder.map { decoder throws(RunnerFailure) in
            FactsReader(decoder, header: try decoder.header()).facts
        }
        chain = StepChain(
            base: base, steps: input.steps, facts: AssetFacts(original), libraries: libraries,
            original: original, runtime: runtime, isInteractive: false)
    }

    /// The image to pull: a small one is made from a small base where no steps are run.
    func image(for output: RenderOutput) throws(RunnerFailure) -> Image {
        guard chain.count == 0, case .encoded(let settings) = output, let box = settings.size else {
            return try chain.image(after: chain.count)
        }
        let target = try chain.base.size().fitted(into: box)
        return try chain.base.displaySize(longerSide: max(target.width, target.height))
    }

    /// What pulls the pixels of an image.
    func pull(_ image: Image) -> PixelPull {
        PixelPull(
            image: image, extensionIdentifiers: chain.extensionIdentifiers, base: chain.base,
            original: original, runtime: runtime)
    }

    /// What the user should know.
    var warnings: [String] {
        guard let facts, facts.frameCount > 1 else { return [] }
        return ["only the first of \(facts.frameCount) frames is used"]
    }
}
