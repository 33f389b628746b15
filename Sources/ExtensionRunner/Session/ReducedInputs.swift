// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// The inputs of previews that are smaller than the display image, so that an extension does not compute pixels that
/// are then discarded. Used on the session's thread only.
final class ReducedInputs {
    /// The number of inputs that are kept: one for a control that is being moved, one for controls at rest, and one for
    /// thumbnails.
    private static let limit = 3
    /// The maximum ratio of the sides of an input to those of the display image.
    private static let maximumRatio = 0.75

    private let chain: EditPipeline
    private var inputs: [PixelSize: Image] = [:]
    /// Whether the last preview had the size of its input, possibly turned by 90 degrees. Otherwise the full size of
    /// the edited picture can be estimated better from the display image.
    private var keepsSize = true
    /// Whether the extension reads the display image itself instead of the input of the preview.
    private var isIgnored = false

    init(_ chain: EditPipeline) { self.chain = chain }

    /// Returns the input of a preview in memory, or `nil` if that is the display image.
    func input(for view: PreviewView) throws(RunnerFailure) -> Image? {
        guard keepsSize, !isIgnored, view.region == nil, let box = view.box else { return nil }
        let display = try chain.displayImage(after: chain.count)
        // The edit may turn the picture.
        let side = max(box.width, box.height)
        let size = display.size.fitted(into: PixelSize(width: side, height: side))
        guard Double(size.width) <= Double(display.width) * Self.maximumRatio else { return nil }
        if let known = inputs[size] { return known }
        let image = try chain.reducedImage(of: display, after: chain.count, to: size)
        if inputs.count >= Self.limit { inputs = [:] }
        inputs[size] = image
        return image
    }

    /// Records the size of a preview that was requested over a reduced input.
    ///
    /// - Returns: The image that the preview shows; `nil` if it must be rendered again over the display image.
    func source(of size: PixelSize, over reduced: Image, _ display: Image) -> Image? {
        if recordSize(size, of: reduced) { return reduced }
        isIgnored = Self.isSame(size, display)
        return isIgnored ? display : nil
    }

    /// Records the size of a preview. Returns whether it is that of its input.
    @discardableResult
    func recordSize(_ size: PixelSize, of input: Image) -> Bool {
        keepsSize = Self.isSame(size, input)
        return keepsSize
    }

    private static func isSame(_ size: PixelSize, _ image: Image) -> Bool {
        size == image.size || size == image.size.transposed
    }
}
