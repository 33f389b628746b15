// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import Vips

/// Adds b + 1 to each number of band b, except in the last band, and records the sizes of blocks.
private struct Stairs: PlanarPixelKernel {
    final class Blocks: Sendable {
        let counts = Mutex<[Int]>([])
    }
    let blocks = Blocks()

    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ block: PixelBlock<Sample>
    ) {
        blocks.counts.withLock { $0.append(block.count) }
        for band in 0..<block.bands - 1 {
            let numbers = block[band]
            for pixel in 0..<block.count {
                numbers[pixel] &+= Sample(truncatingIfNeeded: band + 1)
            }
        }
    }
}

@Suite("planar pixel kernels")
struct PlanarPixelKernelTests {
    // Whole and partial vectors of every width, whole and partial blocks.
    private static let widths = [1, 2, 3, 15, 16, 17, 31, 32, 33, 47, 255, 256, 257, 511, 700]

    @Test(
        "a kernel computes every pixel for any number of bands and any width",
        arguments: [BandFormat.uchar, .ushort], [1, 2, 3, 4, 5, 9])
    func everyPixel(format: BandFormat, bands: Int) throws {
        for width in Self.widths {
            let (image, numbers) = try Pictures.make(
                width: width, height: 3, bands: bands, format: format)
            let kernel = Stairs()
            let result = try image.mapping(kernel)
            let expected = numbers.enumerated().map { index, number -> UInt16 in
                let band = index % bands
                guard band < bands - 1 else { return number }
                return format == .uchar
                    ? (number + UInt16(band) + 1) % 256 : number &+ UInt16(band) &+ 1
            }
            #expect(try result.samples() == expected, "\(width)")
            #expect(result.format == format && result.bands == bands)
            let counts = kernel.blocks.counts.withLock { $0 }
            #expect(counts.reduce(0, +) == 3 * width)
            #expect(counts.allSatisfy { 1...PixelBlock<UInt8>.capacity ~= $0 })
        }
    }

    @Test("tall and rotated images are computed concurrently")
    func concurrently() async throws {
        let (image, numbers) = try Pictures.make(width: 301, height: 700, bands: 3)
        let expected = numbers.enumerated().map { index, number in
            index % 3 == 2 ? number : (number + 2 * (UInt16(index % 3) + 1)) % 256
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try image.applying("flip", ["direction": "vertical"]).mapping(Stairs())
                        .applying("flip", ["direction": "vertical"]).mapping(Stairs())
                        .samples() == expected
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test("other band formats are rejected")
    func otherFormats() throws {
        try VipsLibrary.initialize()
        let image = try Image(
            samples: [Float](repeating: 1, count: 3), width: 1, height: 1, bands: 3)
        let error = #expect(throws: VipsError.self) { try image.mapping(Stairs()) }
        #expect(error?.code == .unsupportedFormat)
    }
}
