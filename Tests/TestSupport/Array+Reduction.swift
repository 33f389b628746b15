// SPDX-License-Identifier: Apache-2.0

/// Comparison of the samples of a picture with those of a larger one.
extension [UInt16] {
    /// Returns the greatest difference between these samples, of red, green and blue, and the mean samples of the squares
    /// of a larger picture that have their places.
    ///
    /// - Parameters:
    ///   - large: The samples of the larger picture.
    ///   - width: The width of the larger picture in pixels, a multiple of `factor`.
    ///   - factor: The width of a square in pixels.
    /// - Returns: The difference in levels, or nil if the sizes do not match.
    public func largestDifference(
        fromReductionOf large: [UInt16], width: Int, factor: Int
    ) -> Double? {
        let columns = width / factor
        guard !isEmpty, width == columns * factor, large.count == count * factor * factor,
            count.isMultiple(of: 3 * columns)
        else { return nil }
        var largest = 0.0
        for index in indices {
            let (pixel, band) = (index / 3, index % 3)
            let first = pixel / columns * factor * width + pixel % columns * factor
            var sum = 0
            for row in 0..<factor {
                for column in 0..<factor {
                    sum += Int(large[3 * (first + row * width + column) + band])
                }
            }
            let mean = Double(sum) / Double(factor * factor)
            largest = Swift.max(largest, abs(mean - Double(self[index])))
        }
        return largest
    }
}
