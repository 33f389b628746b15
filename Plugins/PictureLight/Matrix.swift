// SPDX-License-Identifier: Apache-2.0

/// A 3 × 3 matrix in row-major order.
package struct Matrix: Equatable {
    package let numbers: [Double]

    /// A matrix with numbers on its diagonal, and 0 elsewhere.
    package init(diagonal: [Double]) {
        numbers = [diagonal[0], 0, 0, 0, diagonal[1], 0, 0, 0, diagonal[2]]
    }

    /// A matrix from nine numbers.
    package init(_ numbers: [Double]) { self.numbers = numbers }

    /// The product with a column vector.
    package func times(_ vector: [Double]) -> [Double] {
        (0..<3).map { row in
            numbers[3 * row] * vector[0] + numbers[3 * row + 1] * vector[1]
                + numbers[3 * row + 2] * vector[2]
        }
    }

    package static func * (left: Matrix, right: Matrix) -> Matrix {
        let columns = (0..<3).map { column in
            left.times([
                right.numbers[column], right.numbers[3 + column], right.numbers[6 + column],
            ])
        }
        return Matrix((0..<9).map { columns[$0 % 3][$0 / 3] })
    }

    /// The inverse; nil if the determinant is 0 or not finite.
    package var inverse: Matrix? {
        let n = numbers
        let cofactors = [
            n[4] * n[8] - n[5] * n[7], n[2] * n[7] - n[1] * n[8], n[1] * n[5] - n[2] * n[4],
            n[5] * n[6] - n[3] * n[8], n[0] * n[8] - n[2] * n[6], n[2] * n[3] - n[0] * n[5],
            n[3] * n[7] - n[4] * n[6], n[1] * n[6] - n[0] * n[7], n[0] * n[4] - n[1] * n[3],
        ]
        let determinant = n[0] * cofactors[0] + n[1] * cofactors[3] + n[2] * cofactors[6]
        guard determinant != 0, determinant.isFinite else { return nil }
        return Matrix(cofactors.map { $0 / determinant })
    }
}
