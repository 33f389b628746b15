// SPDX-License-Identifier: Apache-2.0

/// The vector form of `PixelKernel`: a function over up to 256 pixels at a time whose bands lie apart.
///
/// The numbers of a band are side by side, so that the compiler makes vector instructions of a plain loop:
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
/// Pixels are taken apart and put together by code for AVX2 where the processor has it; so is
/// `ColorMatrix` run. A kernel's own loops are compiled as its module is: for every processor of x86-64, or
/// with `-Xcc -mavx2` for those that have AVX2, see `Image.mapping(_:)`.
public protocol PlanarPixelKernel: Sendable {
    /// Computes a block of pixels in place: a number that is not written stays as it was.
    ///
    /// Called on several threads at once. `Sample` is `UInt8` or `UInt16`.
    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ block: PixelBlock<Sample>)
}

extension Image {
    /// An image of the same size, bands, format and metadata whose pixels the kernel computes.
    ///
    /// Only describes the image: the kernel runs when pixels are pulled, and lives as long as
    /// the libvips image does. Throws `unsupportedFormat` unless the image is 8-bit or 16-bit
    /// unsigned, and `unsupportedProcessor` where the calling module is compiled for AVX2 and the
    /// processor has none.
    @inlinable
    public func mapping<Kernel: PlanarPixelKernel>(_ kernel: Kernel) throws -> Image {
        try requireProcessor()
        // Inlined into the caller's module, so that `transform` is compiled for its types there.
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
