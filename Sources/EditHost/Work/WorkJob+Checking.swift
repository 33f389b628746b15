// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension WorkJob {
    /// Whether all numbers are in range and all indices refer to existing elements.
    var isSound: Bool {
        job >= 0 && job <= Int(Int32.max) && WorkName.isIdentifier(asset)
            && cost.isFinite && cost >= 0
            && [inputs.count, steps.count, outputs.count].allSatisfy { $0 <= Self.maximumCount }
            && !outputs.isEmpty
            && inputs.indices.allSatisfy { isSound(inputs[$0], at: $0) }
            && steps.allSatisfy(isSound)
            && outputs.indices.allSatisfy { isSound(outputs[$0], at: $0) }
    }

    private func isSound(_ input: Input, at index: Int) -> Bool {
        guard (0...1 << 50).contains(input.size) else { return false }
        if let path = input.path, !WorkName.isPath(path) { return false }
        if input.role == .parameter, input.parameter == nil { return false }
        if input.role == .original || input.role == .pairedVideo {
            guard input.facts != nil, input.format != nil else { return false }
        }
        if input.role == .base, input.format == nil { return false }
        guard let container = input.container else { return true }
        guard inputs[..<index].indices.contains(container.input), container.offset >= 0 else {
            return false
        }
        let outer = inputs[container.input]
        return outer.container == nil && container.offset <= outer.size
            && input.size <= outer.size - container.offset
    }

    private func isSound(_ step: Step) -> Bool {
        WorkName.isIdentifier(step.edit) && step.format.count == 2
            && (try? step.adjustmentData.checked()) != nil
            && step.files.allSatisfy {
                inputs.indices.contains($0) && inputs[$0].role == .parameter
            }
    }

    private func isSound(_ output: Output, at index: Int) -> Bool {
        guard WorkName.isIdentifier(output.edit), inputs.indices.contains(output.original),
            inputs[output.original].facts != nil,
            output.steps.allSatisfy(steps.indices.contains),
            output.settings.bitsPerSample == 8 || output.settings.bitsPerSample == 16,
            (output.settings.video != nil) == (output.part == .video),
            (1...1024).contains(output.settings.video?.threads ?? 1)
        else { return false }
        switch (output.from.input, output.from.output) {
        case (let input?, nil):
            return inputs.indices.contains(input) && inputs[input].format != nil
        case (nil, let earlier?): return outputs[..<index].indices.contains(earlier)
        default: return false
        }
    }
}
