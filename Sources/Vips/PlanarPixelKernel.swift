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

extension Image {
    /// Returns an image of the same size, bands, format and metadata whose pixels the kernel computes.
    ///
    /// The kernel runs when pixels are read, and lives as long as the libvips image.
    ///
    /// - Throws: `VipsError` with `unsupportedFormat` unless the image is unsigned 8-bit or 16-bit. With
    ///   `unsupportedProcessor` if the calling module is compiled for AVX2 and the processor lacks it.
    @inlinable
    public func mapping<Kernel: PlanarPixelKernel>(_ kernel: Kernel) throws -> Image {
        try requireProcessor()
        // Inlined into the caller's module, so `transform` is specialised there.
        switch format {
        case .uchar:
            return try mappingRows { source, destination, pixels, bands in
                PixelBlock<UInt8>.transformRow(
                    source, to: destination, pixels: pixels, bands: bands, splitBy: splitBlock,
                    joinBy: joinBlock
                ) { kernel.transform($0) }
            }
        case .ushort:
            return try mappingRows { source, destination, pixels, bands in
                PixelBlock<UInt16>.transformRow(
                    source, to: destination, pixels: pixels, bands: bands, splitBy: splitBlock,
                    joinBy: joinBlock
                ) { kernel.transform($0) }
            }
        default:
            throw VipsError(
                code: .unsupportedFormat, operation: "mapping",
                message: "takes 8 or 16 bit unsigned, not \(format.name)")
        }
    }
}
