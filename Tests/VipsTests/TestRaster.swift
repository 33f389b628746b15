// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Vips

/// A picture together with its samples.
struct TestRaster {
    let width: Int
    let height: Int
    let bands: Int
    let samples: [UInt16]
    let image: Image

    /// A picture with the samples that a function returns for a column, a row and a band.
    init(
        width: Int, height: Int, bands: Int, format: BandFormat,
        _ sample: (Int, Int, Int) -> UInt16
    ) throws {
        try VipsLibrary.initialize()
        (self.width, self.height, self.bands) = (width, height, bands)
        samples = (0..<width * height * bands).map { index in
            sample(index / bands % width, index / bands / width, index % bands)
        }
        image = try Image(
            bytes: format == .uchar
                ? samples.map { UInt8($0) } : samples.withUnsafeBytes { [UInt8]($0) },
            width: width, height: height, bands: bands, format: format,
            interpretation: format == .uchar ? .srgb : .rgb16)
    }

    /// Random samples, of which every third is one of the extremes.
    init(width: Int, height: Int, bands: Int, format: BandFormat, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let largest: UInt16 = format == .uchar ? 255 : 65535
        try self.init(width: width, height: height, bands: bands, format: format) { _, _, _ in
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: 0
            case 1: largest
            default: .random(in: 0...largest, using: &generator)
            }
        }
    }

    /// The samples, with black for transparent pixels.
    var visible: [UInt16] {
        samples.enumerated().map { index, sample in
            bands == 4 && samples[index / 4 * 4 + 3] == 0 ? 0 : sample
        }
    }

    /// The samples of a pixel, which may be outside.
    func pixel(_ x: Int, _ y: Int, _ edges: WarpEdges) -> [Double] {
        let column = max(0, min(x, width - 1)), row = max(0, min(y, height - 1))
        guard edges == .repeated || (column, row) == (x, y) else {
            return [Double](repeating: 0, count: bands)
        }
        let start = (row * width + column) * bands
        return samples[start..<start + bands].map(Double.init)
    }
}
