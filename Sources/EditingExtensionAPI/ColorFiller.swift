// SPDX-License-Identifier: Apache-2.0

import Vips

/// Computes the pixels of an image with a colour transform.
final class ColorFiller: AreaFiller {
    private let source: Image
    private let transform: ColorTransform

    /// - Parameter source: An image of floating-point samples.
    init(_ source: Image, _ transform: ColorTransform) {
        self.source = source
        self.transform = transform
    }

    func fill(
        _ area: PixelArea, _ pixels: UnsafeMutableRawPointer, bytesPerRow: Int
    ) -> String? {
        var failure: (any Error)?
        do {
            try source.readArea(area) { row, stored in
                let place = pixels + row * bytesPerRow
                do {
                    try transform.apply(
                        stored.assumingMemoryBound(to: Float.self),
                        to: place.assumingMemoryBound(to: Float.self), pixels: area.width,
                        bands: source.bands)
                } catch {
                    failure = error
                }
            }
        } catch {
            failure = error
        }
        return failure.map { "\($0)" }
    }
}
