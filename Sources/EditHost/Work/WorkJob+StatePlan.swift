// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

extension WorkJob {
    /// Returns the plan for an output, as the library's machine made it.
    ///
    /// - Parameters:
    ///   - rendered: The earlier outputs.
    ///   - binaries: The extensions by their digests.
    /// - Throws: `HostError` with `cannotRender` if the job is inconsistent.
    func plan(
        of output: Output, over rendered: [RenderedContent],
        _ binaries: [WorkHash: ExtensionBinary]
    ) throws -> StatePlan {
        let original = inputs[output.original]
        guard let facts = original.facts,
            let (base, format) = base(of: output, among: rendered)
        else { throw inconsistent }
        let resource = AssetResource(
            originalOfAsset: asset, named: original.filename ?? "",
            original.role == .pairedVideo ? .pairedVideo : facts.video == nil ? .photo : .video,
            original.sha256.digest, size: original.size, facts: facts)
        return StatePlan(
            assetIdentifier: asset, originalResource: resource, original: original.sha256.digest,
            originalFacts: facts, base: base, baseFormat: format,
            basePixelsAreInPlace: output.pixelsInPlace,
            steps: try output.steps.map { try step(steps[$0], binaries) },
            stillWidth: output.stillWidth)
    }

    private func base(
        of output: Output, among rendered: [RenderedContent]
    ) -> (SHA256Digest, MediaFormat)? {
        if let earlier = output.from.output {
            guard rendered.indices.contains(earlier) else { return nil }
            return (rendered[earlier].blob.hash, rendered[earlier].format)
        }
        guard let input = output.from.input, let format = inputs[input].format else { return nil }
        return (inputs[input].sha256.digest, format)
    }

    private func step(
        _ step: Step, _ binaries: [WorkHash: ExtensionBinary]
    ) throws -> StatePlan.Step {
        guard let binary = binaries[step.extension] else { throw inconsistent }
        let files = step.files.map { index in
            let input = inputs[index]
            return ParameterFile(
                EditFile(
                    parameter: input.parameter ?? "", filename: input.filename ?? "",
                    hash: input.sha256.digest, size: input.size))
        }
        return StatePlan.Step(binary: binary, adjustmentData: step.adjustmentData, files: files)
    }

    private var inconsistent: HostError {
        HostError(.cannotRender, "the job is inconsistent; make a new plan", asset: asset)
    }
}

extension WorkJob {
    /// The estimated memory for rendering, in bytes.
    var renderingMemory: Int {
        outputs.map { output in
            let facts = inputs[output.original].facts
            return AssetHistory.renderingMemory(
                width: facts?.pixelWidth ?? 1, height: facts?.pixelHeight ?? 1,
                bitsPerSample: facts?.bitsPerSample ?? 8)
        }.max() ?? 0
    }
}
