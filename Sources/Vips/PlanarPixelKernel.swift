// SPDX-License-Identifier: Apache-2.0

/// The vectorisable form of `PixelKernel`: a function over up to 256 pixels at a time in planar layout.
///
/// Because the samples of a band are contiguous, the compiler vectorises a plain loop:
///
///     struct Threshold: PlanarPixelKernel {
///         func transform<Sample>(_ block: PixelBlock<Sample>)
///         where Sample: FixedWidthInteger & UnsignedInteger & Sendable {
///             let green = block[1]
///             for pixel in 0..<block.count {
///                 green[pixel] = green[pixel] > .max / 2 ? .max : 0
///             }
///         }
///     }
///     let result = try image.mapping(Threshold())
///
/// Pixels are deinterleaved and interleaved with AVX2 if the processor has it; `ColorMatrix` uses it too. A
/// kernel's own loops are compiled like its module: for every x86-64 processor, or with `-Xcc -mavx2` for those
/// with AVX2. See `Image.mapping(_:)`.
public protocol PlanarPixelKernel: Sendable {
    /// Computes a block of pixels in place. Samples that are not written keep their values.
    ///
    /// Called concurrently on several threads. `Sample` is `UInt8` or `UInt16`.
    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ block: PixelBlock<Sample>)
}
