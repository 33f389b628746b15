// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// The full-size input of an edit, for previews at high magnification. Used on the worker's thread only.
final class FullSizePreview {
    /// The pipeline that the image is computed from.
    let chain: EditPipeline
    private let runtime: Runtime
    /// The random-access image; `nil` until it has been needed.
    private var cached: Image?

    init(_ chain: EditPipeline, _ runtime: Runtime) {
        self.chain = chain
        self.runtime = runtime
    }

    /// Returns the full-size image. With sequential access and no edits below, every preview decodes the file again,
    /// down to the last row that it reads. With random access or edits below, the whole image is computed once.
    func image(_ access: PixelAccess) throws(RunnerFailure) -> Image {
        if let cached { return cached }
        guard chain.count > 0 || access == .random else {
            return try chain.image(after: 0, access: .sequential)
        }
        guard chain.count > 0 else {
            let image = try chain.image(after: 0, access: .random)
            cached = image
            return image
        }
        let image = try chain.image(after: chain.count)
        let phase = RunnerPhase.pixels(extensionIdentifiers: chain.extensionIdentifiers)
        let inMemory = try chain.sources(after: chain.count).computing(
            "compute the input at full size", code: .extensionFailed
        ) {
            try runtime.phases.during(phase) {
                try runtime.work.pulling(image) { try $0.copiedToMemory() }
            }
        }
        cached = inMemory
        return inMemory
    }
}
