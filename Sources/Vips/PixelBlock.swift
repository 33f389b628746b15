// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks
import CVips

/// Adjacent pixels of one row in planar layout: each band is contiguous. It is the unit of work of a
/// `PlanarPixelKernel`.
///
/// Valid only during the call that receives it, on the calling thread.
public struct PixelBlock<Sample> {
    /// The maximum number of pixels in a block, and the allocated size of each plane in samples.
    @inlinable
    public static var capacity: Int { 256 }

    @usableFromInline
    let planes: UnsafeMutablePointer<Sample>

    /// The number of pixels, 1 to `capacity`. The last block of a row may be shorter than the others.
    public let count: Int

    /// The number of samples per pixel, alpha included.
    public let bands: Int

    @inlinable
    init(planes: UnsafeMutablePointer<Sample>, count: Int, bands: Int) {
        self.planes = planes
        self.count = count
        self.bands = bands
    }

    /// The samples of a band: `count` of them, readable and writable. The memory up to `capacity` samples may also be
    /// accessed, but its content is undefined. A loop may therefore process whole vectors.
    ///
    /// - Parameter band: The index of the band, 0 to `bands` - 1.
    @inlinable
    public subscript(band: Int) -> UnsafeMutablePointer<Sample> {
        precondition(0 <= band && band < bands, "the block has no such band")
        return planes + band &* Self.capacity
    }
}

// MARK: - Rows

extension PixelBlock where Sample: FixedWidthInteger {
    /// A conversion in either direction. Arguments: source, destination, bands, pixels.
    @usableFromInline
    typealias Rearrangement = (
        UnsafePointer<Sample>, UnsafeMutablePointer<Sample>, Int, Int
    ) -> Void

    /// Calls a closure for each block of a row.
    @inlinable
    @inline(__always)
    static func transformRow(
        _ source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, pixels: Int,
        bands: Int, splitBy split: Rearrangement, joinBy join: Rearrangement,
        _ body: (PixelBlock) -> Void
    ) {
        let size = MemoryLayout<Sample>.stride
        withUnsafeTemporaryAllocation(byteCount: bands * capacity * size, alignment: 32) { memory in
            guard let base = memory.baseAddress else { return }
            // Loops over whole vectors may read samples beyond the block's count, so they must be initialised.
            base.initializeMemory(as: UInt8.self, repeating: 0, count: memory.count)
            let planes = base.assumingMemoryBound(to: Sample.self)
            let from = source.assumingMemoryBound(to: Sample.self)
            let to = destination.assumingMemoryBound(to: Sample.self)
            var start = 0
            while start < pixels {
                let count = min(capacity, pixels &- start)
                split(from + start &* bands, planes, bands, count)
                body(PixelBlock(planes: planes, count: count, bands: bands))
                join(planes, to + start &* bands, bands, count)
                start &+= capacity
            }
        }
    }
}

@usableFromInline
func splitBlock(
    _ source: UnsafePointer<UInt8>, _ planes: UnsafeMutablePointer<UInt8>, _ bands: Int,
    _ pixels: Int
) {
    pixel_block_split_8(source, planes, bands, pixels)
}

@usableFromInline
func splitBlock(
    _ source: UnsafePointer<UInt16>, _ planes: UnsafeMutablePointer<UInt16>, _ bands: Int,
    _ pixels: Int
) {
    pixel_block_split_16(source, planes, bands, pixels)
}

@usableFromInline
func joinBlock(
    _ planes: UnsafePointer<UInt8>, _ destination: UnsafeMutablePointer<UInt8>, _ bands: Int,
    _ pixels: Int
) {
    pixel_block_join_8(planes, destination, bands, pixels)
}

@usableFromInline
func joinBlock(
    _ planes: UnsafePointer<UInt16>, _ destination: UnsafeMutablePointer<UInt16>, _ bands: Int,
    _ pixels: Int
) {
    pixel_block_join_16(planes, destination, bands, pixels)
}

// MARK: - Processors

/// Throws `unsupportedProcessor` if the calling module is compiled for instructions that this processor lacks.
@inlinable
func requireProcessor() throws {
    guard cvips_processor_suffices() != 0 else {
        throw VipsError(
            code: .unsupportedProcessor, operation: "mapping",
            message: "the code is compiled for AVX2, which this processor does not have")
    }
}
