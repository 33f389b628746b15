// SPDX-License-Identifier: Apache-2.0

import CYCbCr
import TestSupport

/// A picture's planes: luma, and chroma at half or full resolution.
struct YCbCr {
    let width: Int
    let height: Int
    let isHalved: Bool
    var planes: [[UInt8]]

    static let seedNumber = TestSeed.seed()
    /// The setting that reproduces the samples.
    static var seed: String { "EDITHOST_SEED=\(seedNumber)" }

    /// Creates random samples.
    init(width: Int, height: Int, isHalved: Bool = true) {
        (self.width, self.height, self.isHalved) = (width, height, isHalved)
        planes = []
        var generator = SeededGenerator(seed: Self.seedNumber)
        for plane in 0..<3 {
            let (columns, rows) = size(plane)
            planes.append(
                (0..<columns * rows).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
    }

    /// Converts RGB.
    init(rgb: [UInt8], width: Int, height: Int, plain: Bool) {
        (self.width, self.height, isHalved) = (width, height, true)
        var luma = [UInt8](repeating: 0, count: width * height)
        var blue = [UInt8](repeating: 0, count: width * height / 4)
        var red = blue
        luma.withUnsafeMutableBufferPointer { luma in
            blue.withUnsafeMutableBufferPointer { blue in
                red.withUnsafeMutableBufferPointer { red in
                    var planes = [luma.baseAddress, blue.baseAddress, red.baseAddress]
                    (plain ? ycbcr_plain_from_rgb : ycbcr_from_rgb)(
                        rgb, width * 3, width, height, &planes, [width, width / 2, width / 2])
                }
            }
        }
        planes = [luma, blue, red]
    }

    private func size(_ plane: Int) -> (Int, Int) {
        plane > 0 && isHalved ? ((width + 1) / 2, (height + 1) / 2) : (width, height)
    }

    /// Converts the picture to RGB.
    func rgb(_ coding: ycbcr_coding, plain: Bool) -> [UInt8] {
        var rgb = [UInt8](repeating: 0, count: width * height * 3)
        let strides = (0..<3).map { size($0).0 }
        planes[0].withUnsafeBufferPointer { luma in
            planes[1].withUnsafeBufferPointer { blue in
                planes[2].withUnsafeBufferPointer { red in
                    var picture = ycbcr_planes(
                        planes: (luma.baseAddress, blue.baseAddress, red.baseAddress),
                        strides: (strides[0], strides[1], strides[2]), width: width, height: height)
                    var coding = coding
                    (plain ? ycbcr_plain_to_rgb : ycbcr_to_rgb)(&picture, &coding, &rgb, width * 3)
                }
            }
        }
        return rgb
    }

    /// Converts the picture to RGB in floating point, by the formulas.
    func expectedRGB(_ coding: ycbcr_coding) -> [Double] {
        let green = 1 - coding.red - coding.blue
        var rgb: [Double] = []
        for row in 0..<height {
            for column in 0..<width {
                let sample = Double(planes[0][row * width + column])
                let luma = coding.is_full ? sample : (sample - 16) * 255 / 219
                let scale = coding.is_full ? 1 : 255.0 / 224
                let b = (chroma(1, row, column, coding) - 128) * scale * 2 * (1 - coding.blue)
                let r = (chroma(2, row, column, coding) - 128) * scale * 2 * (1 - coding.red)
                let g = (b * coding.blue + r * coding.red) / green
                rgb += [luma + r, luma - g, luma + b].map { min(255, max(0, $0)) }
            }
        }
        return rgb
    }

    /// The chroma at a pixel.
    private func chroma(
        _ plane: Int, _ row: Int, _ column: Int, _ coding: ycbcr_coding
    ) -> Double {
        guard isHalved else { return Double(planes[plane][row * width + column]) }
        let (columns, rows) = size(plane)
        // The position of the pixel in chroma samples.
        let x = coding.is_left ? Double(column) / 2 : (Double(column) - 0.5) / 2
        let y = (Double(row) - 0.5) / 2
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        var sum = 0.0
        for j in top - 1...top + 2 {
            for i in left - 1...left + 2 {
                let sample = planes[plane][
                    min(max(j, 0), rows - 1) * columns + min(max(i, 0), columns - 1)]
                sum += Double(sample) * cubic(x - Double(i)) * cubic(y - Double(j))
            }
        }
        // A sample has 8 bits.
        return min(255, max(0, sum))
    }
}

/// The Catmull-Rom cubic at a distance from its middle (a = -1/2; Keys, "Cubic Convolution Interpolation for
/// Digital Image Processing", 1981, formula 15).
func cubic(_ distance: Double) -> Double {
    let x = abs(distance)
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
}

/// Converts RGB in floating point, with chroma at every second column and between two rows.
struct Reduction {
    private(set) var luma: [Double] = []
    private(set) var blue: [Double] = []
    private(set) var red: [Double] = []

    init(rgb: [UInt8], width: Int, height: Int) {
        let shares = [0.2126, 0.7152, 0.0722]
        func brightness(_ color: [Double]) -> Double { zip(color, shares).map(*).reduce(0, +) }
        for pixel in 0..<width * height {
            luma.append(16 + brightness((0..<3).map { Double(rgb[pixel * 3 + $0]) }) * 219 / 255)
        }
        for row in 0..<height / 2 {
            for column in 0..<width / 2 {
                var color = [0.0, 0.0, 0.0]
                for y in 2 * row - 3...2 * row + 4 {
                    for x in 2 * column - 3...2 * column + 3 {
                        let weight =
                            cubic((Double(y) - Double(2 * row) - 0.5) / 2) / 2
                            * cubic(Double(x - 2 * column) / 2) / 2
                        let pixel = min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)
                        for band in 0..<3 { color[band] += weight * Double(rgb[pixel * 3 + band]) }
                    }
                }
                let light = brightness(color)
                blue.append(Self.sample((color[2] - light) / (2 * (1 - shares[2]))))
                red.append(Self.sample((color[0] - light) / (2 * (1 - shares[0]))))
            }
        }
    }

    private static func sample(_ difference: Double) -> Double {
        min(255, max(0, 128 + difference * 224 / 255))
    }
}
