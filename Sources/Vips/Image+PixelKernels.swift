// SPDX-License-Identifier: Apache-2.0

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
