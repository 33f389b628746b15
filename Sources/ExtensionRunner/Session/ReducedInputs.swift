// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// The inputs of previews that are smaller than the display image, so that an extension does not compute pixels that are
/// then discarded. Used on the session's thread only.
final class ReducedInputs {
    /// The inputs that are kept: those of moving and of resting controls, and of thumbnails.
    private static let limit = 3
    /// How much smaller an input must be.
    private static let most = 0.75

    private let chain: EditPipeline
    private var inputs: [PixelSize: Image] = [:]
    /// Whether the last preview had the size of its input, possibly turned by 90 degrees. Otherwise the full size of the
    /// edited picture can be estimated better from the display image.
    private var keepsSize = true

    init(_ chain: EditPipeline) { self.chain = chain }

    /// Returns the input of a preview in memory, or `nil` if that is the display image.
    func input(for view: PreviewView) throws(RunnerFailure) -> Image? {
        guard keepsSize, view.region == nil, let box = view.box else { return nil }
        let display = try chain.displayImage(after: chain.count)
        let size = display.size.fitted(into: box)
        guard Double(size.width) <= Double(display.width) * Self.most else { return nil }
        if let known = inputs[size] { return known }
        let image = try chain.reducedImage(of: display, after: chain.count, to: size)
        if inputs.count >= Self.limit { inputs = [:] }
        inputs[size] = image
        return image
    }

    /// Notes and returns whether a preview has the size of its input.
    func keepsSize(_ size: PixelSize, of input: PixelSize) -> Bool {
        keepsSize = size == input || size == input.transposed
        return keepsSize
    }
}
