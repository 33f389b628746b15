// SPDX-License-Identifier: Apache-2.0

/// A function from pixel to pixel, run in tiles inside libvips' own threads. `PlanarPixelKernel` is its vector form.
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
    /// Called on several threads at once. `Sample` is `UInt8` or `UInt16`; both runs have
    /// `pixels * bands` numbers, pixel after pixel, and do not overlap.
    ///
    /// - Parameters:
    ///   - source: The pixels to read.
    ///   - destination: The pixels to write, all of them.
    ///   - pixels: How many. At least 1.
    ///   - bands: Numbers in a pixel, alpha included.
    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ source: UnsafePointer<Sample>, to destination: UnsafeMutablePointer<Sample>,
        pixels: Int, bands: Int)
}

extension Image {
    /// An image of the same size, bands, format and metadata whose pixels the kernel computes.
    ///
    /// Only describes the image: the kernel runs when pixels are pulled, and lives as long as
    /// the libvips image does. Throws `unsupportedFormat` unless the image is 8-bit or 16-bit
    /// unsigned, and `unsupportedProcessor` where the calling module is compiled for AVX2 and the
    /// processor has none.
    @inlinable
    public func mapping<Kernel: PixelKernel>(_ kernel: Kernel) throws -> Image {
        try requireProcessor()
        // Inlined into the caller's module, so that `transform` is compiled for its types there.
        switch format {
        case .uchar:
            return try mappingRows { source, destination, pixels, bands in
                kernel.transform(
                    source.assumingMemoryBound(to: UInt8.self),
                    to: destination.assumingMemoryBound(to: UInt8.self),
                    pixels: pixels, bands: bands)
            }
        case .ushort:
            return try mappingRows { source, destination, pixels, bands in
                kernel.transform(
                    source.assumingMemoryBound(to: UInt16.self),
                    to: destination.assumingMemoryBound(to: UInt16.self),
                    pixels: pixels, bands: bands)
            }
        default:
            throw VipsError(
                code: .unsupportedFormat, operation: "mapping",
                message: "takes 8 or 16 bit unsigned, not \(format.name)")
        }
    }
}
