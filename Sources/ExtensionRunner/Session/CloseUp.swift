// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// The full-size input of an edit for previews that look closely. Used by the worker only.
final class CloseUp {
    /// What it is made of.
    let chain: StepChain
    private let runtime: Runtime
    /// One that can be read in any order, again and again, once it has been needed.
    private var kept: Image?

    init(_ chain: StepChain, _ runtime: Runtime) {
        self.chain = chain
        self.runtime = runtime
    }

    /// The image. What is decoded top to bottom is decoded anew for each preview, as far down as that reads;
    /// where edits lie below, or any order is wanted, all of it is, once.
    func image(_ access: PixelAccess) throws(RunnerFailure) -> Image {
        if let kept { return kept }
        guard chain.count > 0 || access == .random else {
            return try chain.image(after: 0, access: .sequential)
        }
        guard chain.count > 0 else {
            let image = try chain.image(after: 0, access: .random)
            kept = image
            return image
        }
        let image = try chain.image(after: chain.count)
        let phase = RunnerPhase.pixels(extensionIdentifiers: chain.extensionIdentifiers)
        let inMemory = try chain.sources(after: chain.count).computing(
            "compute the input at full size", code: .extensionFailed
        ) {
            try runtime.phases.during(phase) {
                try runtime.activity.pulling(image) { try $0.copiedToMemory() }
            }
        }
        kept = inMemory
        return inMemory
    }
}

extension Image {
    /// The part that a rectangle leaves; nil: all of it.
    func part(_ rectangle: NormalizedRect?) throws -> Image {
        let region = ImageGeometry.region(rectangle, of: size)
        guard region.size != size else { return self }
        return try applying(
            "extract_area",
            [
                "left": .integer(region.left), "top": .integer(region.top),
                "width": .integer(region.size.width), "height": .integer(region.size.height),
            ])
    }
}
