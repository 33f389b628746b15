// SPDX-License-Identifier: Apache-2.0

import CPictureLight

/// The positions at which functions in C, which are linear in parts, are evaluated.
package enum PiecewiseFunction {
    /// The ends of the parts of a function of light, 0...1.
    package static let lightPositions = (0...Int32(PL_ENCODING_PARTS)).map { pl_encoding_start($0) }
    /// The ends of the parts of a function of encoded values, 0...1.
    package static let encodedPositions = (0...Int32(PL_TONE_PARTS)).map { pl_tone_start($0) }

    /// Sets the parts of a function from its values at the ends of its parts.
    ///
    /// - Parameter parts: Memory for one part less than there are positions.
    package static func set(
        _ parts: UnsafeMutablePointer<pl_part>?, to values: [Double], at positions: [Double]
    ) {
        guard let parts else { return }
        // Arguments in the first part are clamped to its end, and mean 0.
        parts[0] = pl_part(value: Float(values[0]), slope: 0)
        for part in 1..<positions.count - 1 {
            let length = positions[part + 1] - positions[part]
            let slope = (values[part + 1] - values[part]) / length
            parts[part] = pl_part(
                value: Float(values[part] - slope * positions[part]), slope: Float(slope))
        }
    }
}
