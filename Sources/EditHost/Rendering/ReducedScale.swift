// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol

/// The scale at which a picture was reduced before steps run over it.
struct ReducedScale: Sendable {
    private let original: PixelSize
    private let reduced: PixelSize

    /// - Parameter picture: The pixels from a runner. The result is `nil` if they are at full size or a size is out
    ///   of range.
    init?(of picture: UncompressedPixels) {
        let sides = 1...(1 << 20)
        let layout = picture.layout
        guard let fullSize = picture.fullSize, sides.contains(fullSize.width),
            sides.contains(fullSize.height), sides.contains(layout.width),
            sides.contains(layout.height), layout.width < fullSize.width,
            layout.height <= fullSize.height
        else { return nil }
        original = fullSize
        reduced = PixelSize(width: layout.width, height: layout.height)
    }

    /// The reduced width relative to the full width, less than 1.
    var scale: Double { Double(reduced.width) / Double(original.width) }

    /// Returns the approximate size of a state at full size.
    ///
    /// - Parameter size: The size of the state over the reduced picture. The result is exact if it is that picture's
    ///   own size.
    func unreduced(_ size: PixelSize) -> PixelSize {
        PixelSize(
            width: Self.scaled(size.width, Double(original.width) / Double(reduced.width)),
            height: Self.scaled(size.height, Double(original.height) / Double(reduced.height)))
    }

    private static func scaled(_ side: Int, _ factor: Double) -> Int {
        Int(min(max(1, (Double(side) * factor).rounded()), Double(UInt32.max)))
    }
}
