// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Where the pixels of an original are in a picture that is made of it: held upright, and perhaps made
/// smaller.
struct PixelPlacement {
    /// How the original is turned, 1...8.
    private let orientation: Int
    /// The original's size as it is stored.
    private let stored: PixelSize
    private let output: PixelSize

    /// - Parameters:
    ///   - original: The original.
    ///   - size: The size of the picture before it was reduced, whose pixels no edit has moved; nil: one
    ///     may have.
    ///   - output: The size of the picture.
    /// - Returns: nil if it is not known where the pixels are.
    init?(of original: MetadataSource, at size: PixelSize?, in output: PixelSize) {
        guard let size, size == original.uprightSize, let orientation = original.orientation
        else { return nil }
        self.orientation = orientation
        stored = orientation > 4 ? PixelSize(width: size.height, height: size.width) : size
        self.output = output
    }

    /// Whether each pixel is where it was.
    var isIdentity: Bool { isUpright && stored == output }

    /// Whether the original was upright, so that places given in parts of its size are the same.
    var isUpright: Bool { orientation == 1 }

    /// A number of pixels from left to right in a picture that was upright.
    func width(_ pixels: Double) -> Int? { scaled(pixels, stored.width, output.width) }

    /// A number of pixels from top to bottom in a picture that was upright.
    func height(_ pixels: Double) -> Int? { scaled(pixels, stored.height, output.height) }

    private func scaled(_ pixels: Double, _ old: Int, _ new: Int) -> Int? {
        Int(exactly: (pixels * Double(new) / Double(max(1, old))).rounded())
    }

    /// The place of EXIF's SubjectArea: a point, with a diameter, or with a width and a height, which counts
    /// in the picture as it is stored. Nil if it lies outside.
    func area(_ values: [Int]) -> [Int]? {
        guard (2...4).contains(values.count), (0..<stored.width).contains(values[0]),
            (0..<stored.height).contains(values[1])
        else { return nil }
        let (x, y) = upright(values[0], values[1])
        let isTurned = orientation > 4
        let (width, height) =
            isTurned ? (stored.height, stored.width) : (stored.width, stored.height)
        let across = Double(output.width) / Double(width)
        let down = Double(output.height) / Double(height)
        let factors: [Double]
        switch values.count {
        case 3: factors = [(across + down) / 2]
        case 4: factors = [across, down]
        default: factors = []
        }
        let sides = isTurned ? values[2...].reversed() : Array(values[2...])
        let numbers =
            [Double(x) * across, Double(y) * down] + zip(sides, factors).map { Double($0) * $1 }
        let result = numbers.compactMap { Int(exactly: $0.rounded()) }
        return result.count == values.count && result.allSatisfy((0...0xFFFF).contains)
            ? result : nil
    }

    /// Where a pixel of the stored picture is in the upright one (TIFF 6.0, Orientation).
    private func upright(_ x: Int, _ y: Int) -> (Int, Int) {
        let (right, below) = (stored.width - 1 - x, stored.height - 1 - y)
        return switch orientation {
        case 2: (right, y)
        case 3: (right, below)
        case 4: (x, below)
        case 5: (y, x)
        case 6: (below, x)
        case 7: (below, right)
        case 8: (y, right)
        default: (x, y)
        }
    }
}
