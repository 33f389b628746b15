// SPDX-License-Identifier: Apache-2.0

/// The self-guided filter of He, Sun and Tang, "Guided Image Filtering" (2013), equations 11 to 13, window by window.
struct GuidedFilter {
    let radius: Int
    let edge: Double
    let width: Int
    let height: Int

    func filtered(_ picture: [Double]) -> [Double] {
        let (slopes, offsets) = coefficients(of: picture)
        return picture.indices.map { slopes[$0] * picture[$0] + offsets[$0] }
    }

    /// The coefficients of the linear function at each pixel.
    func coefficients(of picture: [Double]) -> (slopes: [Double], offsets: [Double]) {
        let mean = averaged(picture)
        let square = averaged(picture.map { $0 * $0 })
        let slopes = picture.indices.map { index in
            let variance = square[index] - mean[index] * mean[index]
            return variance / (variance + edge)
        }
        let offsets = picture.indices.map { (1 - slopes[$0]) * mean[$0] }
        return (averaged(slopes), averaged(offsets))
    }

    /// The value between four pixels, bilinear; beyond the edge that of the edge.
    func value(of numbers: [Double], _ x: Double, _ y: Double) -> Double {
        let (x, y) = (min(max(x, 0), Double(width - 1)), min(max(y, 0), Double(height - 1)))
        let (left, top) = (Int(x), Int(y))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        let (across, down) = (x - Double(left), y - Double(top))
        func mixed(_ row: Int) -> Double {
            numbers[row * width + left] * (1 - across) + numbers[row * width + right] * across
        }
        return mixed(top) * (1 - down) + mixed(bottom) * down
    }

    /// The mean of the part of each window that lies in the picture.
    private func averaged(_ numbers: [Double]) -> [Double] {
        numbers.indices.map { index in
            let (x, y) = (index % width, index / width)
            var (sum, count) = (0.0, 0.0)
            for row in max(0, y - radius)...min(height - 1, y + radius) {
                for column in max(0, x - radius)...min(width - 1, x + radius) {
                    sum += numbers[row * width + column]
                    count += 1
                }
            }
            return sum / count
        }
    }
}
