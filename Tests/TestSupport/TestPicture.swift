// SPDX-License-Identifier: Apache-2.0

import Foundation
import Vips

/// A small picture with computed samples.
public struct TestPicture: Sendable, Equatable {
    /// The number of columns.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The number of samples per pixel: 3 or 4.
    public let bands: Int
    /// The interleaved samples in row-major order.
    public var samples: [UInt8]

    /// Creates a picture from samples.
    public init(width: Int, height: Int, bands: Int, samples: [UInt8]) {
        self.width = width
        self.height = height
        self.bands = bands
        self.samples = samples
    }

    /// A gradient: sample = (7 x + 13 y + 50 band + seed) modulo 200. Edges, rows and bands all
    /// differ, and tests can add up to 56 without clipping.
    public static func gradient(
        width: Int = 37, height: Int = 23, bands: Int = 3, seed: Int = 0
    ) -> TestPicture {
        var samples: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                for band in 0..<bands {
                    samples.append(UInt8((7 * x + 13 * y + 50 * band + seed) % 200))
                }
            }
        }
        return TestPicture(width: width, height: height, bands: bands, samples: samples)
    }

    /// The same picture with every colour sample changed.
    public func mapped(_ change: (UInt8) -> UInt8) -> TestPicture {
        var copy = self
        for index in samples.indices where index % bands < 3 {
            copy.samples[index] = change(samples[index])
        }
        return copy
    }

    /// The same picture with an amount added to every colour sample, clamped.
    public func adding(_ amount: Int) -> TestPicture {
        mapped { UInt8(max(0, min(255, Int($0) + amount))) }
    }

    /// The same picture with its columns in reverse order.
    public var mirrored: TestPicture { moved { x, y in (width - 1 - x, y) } }

    /// The same picture with its rows in reverse order.
    public var upsideDown: TestPicture { moved { x, y in (x, height - 1 - y) } }

    /// A picture of the same size whose pixel at (x, y) is the pixel of this one at `source(x, y)`.
    private func moved(_ source: (Int, Int) -> (Int, Int)) -> TestPicture {
        var copy = self
        for y in 0..<height {
            for x in 0..<width {
                let (fromX, fromY) = source(x, y)
                for band in 0..<bands {
                    copy.samples[(y * width + x) * bands + band] =
                        samples[(fromY * width + fromX) * bands + band]
                }
            }
        }
        return copy
    }

    /// The picture encoded by libvips.
    ///
    /// - Parameters:
    ///   - format: `png`, `jpeg`, `tiff` or `webp`.
    ///   - options: Options of the libvips saver.
    ///   - edit: Changes the metadata before encoding.
    public func encoded(
        _ format: String = "png", options: [String: OperationValue] = [:],
        metadata edit: (ImageMetadataEditor) -> Void = { _ in }
    ) throws -> Data {
        try VipsLibrary.initialize()
        let image = try Image(
            bytes: samples, width: width, height: height, bands: bands, format: .uchar,
            interpretation: .srgb
        ).copying(edit)
        return Data(try image.encoded(saver: "\(format)save_buffer", options: options))
    }

    /// Decodes a file with libvips, without rotation or conversion.
    public init(decoding data: Data) throws {
        try VipsLibrary.initialize()
        let image = try Image(source: try ImageSource(bytes: Array(data)))
        self.init(
            width: image.width, height: image.height, bands: image.bands,
            samples: try image.pixels())
    }

    /// The maximum difference between samples, or nil if the dimensions differ.
    public func largestDifference(from other: TestPicture) -> Int? {
        guard (width, height, bands) == (other.width, other.height, other.bands) else {
            return nil
        }
        return zip(samples, other.samples).map { abs(Int($0) - Int($1)) }.max()
    }

    /// The mean difference between samples, or nil if the dimensions differ.
    public func meanDifference(from other: TestPicture) -> Double? {
        guard (width, height, bands) == (other.width, other.height, other.bands) else {
            return nil
        }
        let sum = zip(samples, other.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(samples.count)
    }
}
