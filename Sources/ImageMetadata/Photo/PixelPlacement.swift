// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The mapping from the pixels of an original to an upright picture of it, which may be reduced.
package struct PixelPlacement {
    /// The orientation of the original, 1...8.
    private let orientation: Int
    /// The stored size of the original, without rotation.
    private let stored: PixelSize
    private let output: PixelSize

    /// - Parameters:
    ///   - original: The size of the upright original.
    ///   - orientation: The orientation of the original, 1...8; `nil` if unknown.
    ///   - size: The size of the picture before it was reduced; `nil` if an edit may have moved its pixels.
    ///   - output: The size of the picture.
    /// - Returns: The mapping, or `nil` if it is unknown.
    package init?(
        of original: PixelSize, orientation: Int?, at size: PixelSize?, in output: PixelSize
    ) {
        guard let size, size == original, let orientation else { return nil }
        self.orientation = orientation
        stored = orientation > 4 ? PixelSize(width: size.height, height: size.width) : size
        self.output = output
    }

    /// Whether no pixel has moved.
    var isIdentity: Bool { isUpright && stored == output }

    /// Whether the original was upright, so that relative coordinates are unchanged.
    var isUpright: Bool { orientation == 1 }

    /// Scales a horizontal length in pixels. The result is valid only if the original was upright.
    func width(_ pixels: Double) -> Int? { scaled(pixels, stored.width, output.width) }

    /// Scales a vertical length in pixels. The result is valid only if the original was upright.
    func height(_ pixels: Double) -> Int? { scaled(pixels, stored.height, output.height) }

    private func scaled(_ pixels: Double, _ old: Int, _ new: Int) -> Int? {
        Int(exactly: (pixels * Double(new) / Double(max(1, old))).rounded())
    }

    /// Maps an EXIF SubjectArea in stored coordinates: a point, a circle with a diameter, or a rectangle with a width
    /// and a height. Returns `nil` if it is out of range.
    func area(_ values: [Int]) -> [Int]? {
        guard (2...4).contains(values.count), (0..<stored.width).contains(values[0]),
            (0..<stored.height).contains(values[1])
        else { return nil }
        let (x, y) = upright(values[0], values[1])
        let isRotated = orientation > 4
        let (width, height) =
            isRotated ? (stored.height, stored.width) : (stored.width, stored.height)
        let across = Double(output.width) / Double(width)
        let down = Double(output.height) / Double(height)
        let factors: [Double]
        switch values.count {
        case 3: factors = [(across + down) / 2]
        case 4: factors = [across, down]
        default: factors = []
        }
        let sides = isRotated ? values[2...].reversed() : Array(values[2...])
        let numbers =
            [Double(x) * across, Double(y) * down] + zip(sides, factors).map { Double($0) * $1 }
        let result = numbers.compactMap { Int(exactly: $0.rounded()) }
        return result.count == values.count && result.allSatisfy((0...0xFFFF).contains)
            ? result : nil
    }

    /// Maps a stored pixel to the upright picture (TIFF 6.0, Orientation).
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
