// SPDX-License-Identifier: Apache-2.0

/// A function from pixel to pixel that runs in tiles on libvips' threads. `PlanarPixelKernel` is its vectorisable
/// form.
///
///     struct Invert: PixelKernel {
///         func transform<Sample>(
///             _ source: UnsafePointer<Sample>, to destination: UnsafeMutablePointer<Sample>,
///             pixels: Int, bands: Int
///         ) where Sample: FixedWidthInteger & UnsignedInteger & Sendable {
///             for index in 0..<pixels * bands { destination[index] = .max - source[index] }
///         }
///     }
///     let negative = try image.mapping(Invert())
public protocol PixelKernel: Sendable {
    /// Computes a run of pixels of one row.
    ///
    /// Called concurrently on several threads. `Sample` is `UInt8` or `UInt16`. Both runs have `pixels * bands`
    /// samples, interleaved by pixel, and do not overlap.
    ///
    /// - Parameters:
    ///   - source: The pixels to read.
    ///   - destination: The memory for the result. All of it must be written.
    ///   - pixels: The number of pixels, at least 1.
    ///   - bands: The number of samples per pixel, alpha included.
    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ source: UnsafePointer<Sample>, to destination: UnsafeMutablePointer<Sample>,
        pixels: Int, bands: Int)
}
