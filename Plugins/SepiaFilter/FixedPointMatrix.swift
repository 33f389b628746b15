// SPDX-License-Identifier: Apache-2.0

/// A 3 by 3 matrix of coefficients that are not negative, as whole multiples of
/// 2^-`fractionBits`.
struct FixedPointMatrix<Number: FixedWidthInteger & UnsignedInteger> {
    private let red: (Number, Number, Number)
    private let green: (Number, Number, Number)
    private let blue: (Number, Number, Number)
    private let fractionBits: Number

    /// Rounds nine coefficients, row after row.
    init(_ coefficients: [Double], fractionBits: Number) {
        let unit = Double(Number(1) << fractionBits)
        func row(_ start: Int) -> (Number, Number, Number) {
            let row = coefficients[start..<start + 3].map { Number(($0 * unit).rounded()) }
            return (row[0], row[1], row[2])
        }
        red = row(0)
        green = row(3)
        blue = row(6)
        self.fractionBits = fractionBits
    }

    /// Multiplies the first three bands of each pixel; copies a fourth. Takes 3 or 4 bands.
    @inline(__always)
    func transform<Sample: FixedWidthInteger & UnsignedInteger>(
        _ source: UnsafePointer<Sample>, to destination: UnsafeMutablePointer<Sample>,
        pixels: Int, bands: Int
    ) {
        // A constant stride is what lets the compiler unroll.
        if bands == 3 {
            run(source, destination, pixels, stride: 3)
        } else {
            run(source, destination, pixels, stride: 4)
        }
    }

    @inline(__always)
    private func run<Sample: FixedWidthInteger & UnsignedInteger>(
        _ source: UnsafePointer<Sample>, _ destination: UnsafeMutablePointer<Sample>,
        _ pixels: Int, stride: Int
    ) {
        for index in 0..<pixels {
            let from = source + index &* stride
            let to = destination + index &* stride
            let pixel = (
                Number(truncatingIfNeeded: from[0]), Number(truncatingIfNeeded: from[1]),
                Number(truncatingIfNeeded: from[2])
            )
            to[0] = product(red, pixel)
            to[1] = product(green, pixel)
            to[2] = product(blue, pixel)
            if stride == 4 { to[3] = from[3] }
        }
    }

    // The sums cannot overflow, see SepiaKernel; the unchecked operators keep branches out.
    @inline(__always)
    private func product<Sample: FixedWidthInteger & UnsignedInteger>(
        _ row: (Number, Number, Number), _ pixel: (Number, Number, Number)
    ) -> Sample {
        let half = Number(1) &<< (fractionBits &- 1)
        let sum = row.0 &* pixel.0 &+ row.1 &* pixel.1 &+ row.2 &* pixel.2 &+ half
        return Sample(
            truncatingIfNeeded: min(sum &>> fractionBits, Number(truncatingIfNeeded: Sample.max)))
    }
}
