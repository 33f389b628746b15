// SPDX-License-Identifier: Apache-2.0

import Foundation
import Vips

/// A small picture whose samples are known by arithmetic.
public struct TestPicture: Sendable, Equatable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// 3 or 4.
    public let bands: Int
    /// The samples, row by row, interleaved.
    public var samples: [UInt8]

    /// Makes a picture from samples.
    public init(width: Int, height: Int, bands: Int, samples: [UInt8]) {
        self.width = width
        self.height = height
        self.bands = bands
        self.samples = samples
    }

    /// A gradient: sample = (7 x + 13 y + 50 band + seed) modulo 200, so that no edge, row or
    /// band looks like another and there is room to add to.
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

    /// The same picture, brighter by an amount, clipped.
    public func adding(_ amount: Int) -> TestPicture {
        mapped { UInt8(max(0, min(255, Int($0) + amount))) }
    }

    /// The same picture with its columns in the other order.
    public var mirrored: TestPicture { moved { x, y in (width - 1 - x, y) } }

    /// The same picture with its rows in the other order.
    public var upsideDown: TestPicture { moved { x, y in (x, height - 1 - y) } }

    /// A picture of the same size whose pixel at (x, y) is this one's at `source(x, y)`.
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

    /// The picture as a file of a format, encoded by libvips.
    ///
    /// - Parameters:
    ///   - format: `png`, `jpeg`, `tiff` or `webp`.
    ///   - options: libvips' for its saver.
    ///   - edit: changes the metadata before.
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

    /// Reads a file with libvips, as it lies there: no rotation, no conversion.
    public init(decoding data: Data) throws {
        try VipsLibrary.initialize()
        let image = try Image(source: try ImageSource(bytes: Array(data)))
        self.init(
            width: image.width, height: image.height, bands: image.bands,
            samples: try image.pixels())
    }

    /// The largest difference of any sample; nil where the shapes differ.
    public func largestDifference(from other: TestPicture) -> Int? {
        guard (width, height, bands) == (other.width, other.height, other.bands) else {
            return nil
        }
        return zip(samples, other.samples).map { abs(Int($0) - Int($1)) }.max()
    }

    /// The mean difference of the samples; nil where the shapes differ.
    public func meanDifference(from other: TestPicture) -> Double? {
        guard (width, height, bands) == (other.width, other.height, other.bands) else {
            return nil
        }
        let sum = zip(samples, other.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(samples.count)
    }
}
