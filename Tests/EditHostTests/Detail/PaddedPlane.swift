// SPDX-License-Identifier: Apache-2.0

/// Numbers of a picture, with copies of its edges around it.
struct PaddedPlane {
    /// The number of copies on each side. Further away, they are repeated.
    static let padding = 115

    let width: Int
    let height: Int
    private var numbers: [Double]

    init(width: Int, height: Int, _ picture: (_ x: Int, _ y: Int) -> Double) {
        self.width = width
        self.height = height
        numbers = []
        for y in -Self.padding..<height + Self.padding {
            for x in -Self.padding..<width + Self.padding {
                numbers.append(picture(min(max(x, 0), width - 1), min(max(y, 0), height - 1)))
            }
        }
    }

    /// The number at a position, which may be outside the picture.
    subscript(x: Int, y: Int) -> Double {
        let columns = width + 2 * Self.padding
        let column = min(max(x + Self.padding, 0), columns - 1)
        let row = min(max(y + Self.padding, 0), height + 2 * Self.padding - 1)
        return numbers[row * columns + column]
    }

    /// A plane whose numbers depend on those of two others at the same position.
    func merged(with other: PaddedPlane, _ change: (Double, Double) -> Double) -> PaddedPlane {
        var copy = self
        for index in numbers.indices {
            copy.numbers[index] = change(numbers[index], other.numbers[index])
        }
        return copy
    }

    /// The plane convolved in both directions with numbers that lie symmetrically around the first one.
    func convolved(_ weights: [Double], step: Int = 1) -> PaddedPlane {
        convolvedOnce(weights, step, 0).convolvedOnce(weights, 0, step)
    }

    private func convolvedOnce(_ weights: [Double], _ right: Int, _ down: Int) -> PaddedPlane {
        var copy = self
        let columns = width + 2 * Self.padding
        for index in numbers.indices {
            let x = index % columns - Self.padding
            let y = index / columns - Self.padding
            var sum = weights[0] * numbers[index]
            for distance in 1..<weights.count {
                let before = self[x - distance * right, y - distance * down]
                let after = self[x + distance * right, y + distance * down]
                sum += weights[distance] * (before + after)
            }
            copy.numbers[index] = sum
        }
        return copy
    }
}
