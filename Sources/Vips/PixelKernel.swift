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
    ///   - destination: The pixels to write, all of them.
    ///   - pixels: The number of pixels, at least 1.
    ///   - bands: The number of samples per pixel, alpha included.
    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ source: UnsafePointer<Sample>, to destination: UnsafeMutablePointer<Sample>,
        pixels: Int, bands: Int)
}

extension Image {
    /// Returns an image of the same size, bands, format and metadata whose pixels the kernel computes.
    ///
    /// The kernel runs when pixels are read, and lives as long as the libvips image.
    ///
    /// - Throws: `VipsError` with `unsupportedFormat` unless the image is unsigned 8-bit or 16-bit. With
    ///   `unsupportedProcessor` if the calling module is compiled for AVX2 and the processor lacks it.
    @inlinable
    public func mapping<Kernel: PixelKernel>(_ kernel: Kernel) throws -> Image {
        try requireProcessor()
        // Inlined into the caller's module, so `transform` is specialised there.
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
