// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// How a picture was made smaller before steps were run over it.
struct Reduction: Sendable {
    private let original: PixelSize
    private let reduced: PixelSize

    /// - Parameter picture: what a runner gave. Nil where it is of full size, also by sizes that
    ///   cannot be.
    init?(of picture: RawOutput.Picture) {
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

    /// The reduced width relative to the original one, less than 1.
    var scale: Double { Double(reduced.width) / Double(original.width) }

    /// About the size that a state has at full size.
    ///
    /// - Parameter size: its size over the reduced picture. Exact where that is the picture's own.
    func unreduced(_ size: PixelSize) -> PixelSize {
        PixelSize(
            width: Self.scaled(size.width, Double(original.width) / Double(reduced.width)),
            height: Self.scaled(size.height, Double(original.height) / Double(reduced.height)))
    }

    private static func scaled(_ side: Int, _ factor: Double) -> Int {
        Int(min(max(1, (Double(side) * factor).rounded()), Double(UInt32.max)))
    }
}

extension Renderer.Base {
    /// About the size that raw pixels would have without their reduction; nil where there was none.
    var unreducedSize: PixelSize? {
        guard case .raw(let layout) = kind else { return nil }
        return reduction?.unreduced(PixelSize(width: layout.width, height: layout.height))
    }
}
