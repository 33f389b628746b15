// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks
import CVips

/// Neighbouring pixels of one row, each band in a plane of its own. What a `PlanarPixelKernel` computes.
///
/// Valid during the call that it is given to, on that thread.
public struct PixelBlock<Sample> {
    /// The most pixels that a block has. Each plane has room for as many.
    @inlinable
    public static var capacity: Int { 256 }

    @usableFromInline
    let planes: UnsafeMutablePointer<Sample>

    /// How many pixels: 1 to `capacity`. A row's last block, and a narrow image's only one, has fewer than others.
    public let count: Int

    /// Numbers in a pixel, alpha included.
    public let bands: Int

    @inlinable
    init(planes: UnsafeMutablePointer<Sample>, count: Int, bands: Int) {
        self.planes = planes
        self.count = count
        self.bands = bands
    }

    /// The numbers of a band, to be read and written: `count` of them. What is beyond, up to `capacity`, has no meaning
    /// but may be read and written, so that a loop may run over whole vectors.
    ///
    /// - Parameter band: 0 to `bands` - 1.
    @inlinable
    public subscript(band: Int) -> UnsafeMutablePointer<Sample> {
        precondition(0 <= band && band < bands, "the block has no such band")
        return planes + band &* Self.capacity
    }
}

// MARK: - Rows

extension PixelBlock where Sample: FixedWidthInteger {
    /// Either direction: from, to, bands, pixels.
    @usableFromInline
    typealias Rearrangement = (
        UnsafePointer<Sample>, UnsafeMutablePointer<Sample>, Int, Int
    ) -> Void

    /// Runs a body over a row, block after block.
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
            // A block's numbers beyond its count may be read.
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

/// Throws where the module that this is inlined into is compiled for a processor that this one is not.
@inlinable
func requireProcessor() throws {
    guard cvips_processor_suffices() != 0 else {
        throw VipsError(
            code: .unsupportedProcessor, operation: "mapping",
            message: "the code is compiled for AVX2, which this processor does not have")
    }
}
