// SPDX-License-Identifier: Apache-2.0
//
// kernels - measures the processor time of functions over pixels.
//
// Each is run over 12 megapixels in memory on one thread, and writes to memory. The time of a plain copy is
// subtracted. Prints a line for each: name, bits per sample, bands, and the minimum of all rounds in milliseconds.

import EditingExtensionAPI
import Glibc
import Vips

/// A straightforward sepia filter with PixelKernel.
struct PlainSepia: PixelKernel {
    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ source: UnsafePointer<Sample>, to destination: UnsafeMutablePointer<Sample>,
        pixels: Int, bands: Int
    ) {
        let matrix = OwnMatrix<Sample>()
        for pixel in 0..<pixels {
            let from = source + pixel &* bands
            let to = destination + pixel &* bands
            let color = (UInt32(from[0]), UInt32(from[1]), UInt32(from[2]))
            to[0] = matrix.product(matrix.red, color)
            to[1] = matrix.product(matrix.green, color)
            to[2] = matrix.product(matrix.blue, color)
            if bands == 4 { to[3] = from[3] }
        }
    }
}

/// The same arithmetic in vector form.
struct OwnSepia: PlanarPixelKernel {
    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ block: PixelBlock<Sample>
    ) {
        let matrix = OwnMatrix<Sample>()
        let (red, green, blue) = (block[0], block[1], block[2])
        for pixel in 0..<block.count {
            let color = (UInt32(red[pixel]), UInt32(green[pixel]), UInt32(blue[pixel]))
            red[pixel] = matrix.product(matrix.red, color)
            green[pixel] = matrix.product(matrix.green, color)
            blue[pixel] = matrix.product(matrix.blue, color)
        }
    }
}

/// The coefficients with 16 fractional bits, or with 24 in two parts of 12 bits.
struct OwnMatrix<Sample: FixedWidthInteger> {
    typealias Row = (high: (UInt32, UInt32, UInt32), low: (UInt32, UInt32, UInt32))

    let red = row(0.393, 0.769, 0.189)
    let green = row(0.349, 0.686, 0.168)
    let blue = row(0.272, 0.534, 0.131)

    private static func row(_ red: Double, _ green: Double, _ blue: Double) -> Row {
        let unit: Double = Sample.bitWidth == 8 ? 65_536 : 16_777_216
        let whole = (
            UInt32((red * unit).rounded()), UInt32((green * unit).rounded()),
            UInt32((blue * unit).rounded())
        )
        return (
            (whole.0 >> 12, whole.1 >> 12, whole.2 >> 12),
            Sample.bitWidth == 8 ? whole : (whole.0 & 4095, whole.1 & 4095, whole.2 & 4095)
        )
    }

    @inline(__always)
    func product(_ row: Row, _ color: (UInt32, UInt32, UInt32)) -> Sample {
        let low = row.low.0 &* color.0 &+ row.low.1 &* color.1 &+ row.low.2 &* color.2
        if Sample.bitWidth == 8 {
            return Sample(truncatingIfNeeded: min((low &+ 1 << 15) &>> 16, 255))
        }
        let high = row.high.0 &* color.0 &+ row.high.1 &* color.1 &+ row.high.2 &* color.2
        return Sample(truncatingIfNeeded: min((high &+ (low &+ 1 << 23) &>> 12) &>> 12, 65_535))
    }
}

@main
enum Kernels {
    static let rounds = 40
    static let (width, height) = (4000, 3000)

    static func main() throws {
        try VipsLibrary.initialize()
        let sepia = try ColorMatrix([
            0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131,
        ])
        for bands in [3, 4] {
            let count = width * height * bands
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 16) }
            let words = (0..<count).map { UInt16(truncatingIfNeeded: $0 &* 2_654_435_761 >> 8) }
            for image in [
                try Image(samples: bytes, width: width, height: height, bands: bands),
                try Image(samples: words, width: width, height: height, bands: bands),
            ] {
                try measure(
                    image,
                    [
                        ("Sepia", try image.mapping(sepia)),
                        ("planar", try image.mapping(OwnSepia())),
                        ("plain", try image.mapping(PlainSepia())),
                    ])
            }
        }
    }

    static func measure(_ image: Image, _ mapped: [(name: String, image: Image)]) throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: image.byteCount, alignment: 64)
        defer { memory.deallocate() }
        var least = [Double](repeating: .infinity, count: mapped.count + 1)
        var digests: Set<Int> = []
        for round in 0..<rounds {
            for (index, pulled) in (mapped.map(\.image) + [image]).enumerated() {
                let start = processorTime()
                try pulled.writePixels(into: memory)
                least[index] = min(least[index], processorTime() - start)
                if round == 0, index < mapped.count {
                    digests.insert(memory.reduce(0) { $0 &* 31 &+ Int($1) })
                }
            }
        }
        guard digests.count == 1 else {
            print("kernels: they differ")
            exit(1)
        }
        for (index, kernel) in mapped.enumerated() {
            let time = ((least[index] - least[mapped.count]) * 10_000).rounded() / 10
            print(kernel.name, image.format.size * 8, image.bands, time, separator: "\t")
        }
    }

    static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
