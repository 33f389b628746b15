// SPDX-License-Identifier: Apache-2.0

extension Matrix {
    /// From XYZ to the responses of cones. Lam, "Metamerism and Colour Constancy" (1985), as in the ICC's specification
    /// 4.3, Annex E.
    package static let bradford = Matrix([
        0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296,
    ])

    /// The adaptation of XYZ from a white to another, both in XYZ.
    package static func adaptation(from white: [Double], to other: [Double]) -> Matrix {
        let ratios = zip(bradford.times(other), bradford.times(white)).map(/)
        return fromCones * Matrix(diagonal: ratios) * bradford
    }

    /// The inverse of the Bradford matrix, which has one.
    private static let fromCones = bradford.inverse ?? bradford
}
