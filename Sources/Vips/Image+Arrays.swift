// SPDX-License-Identifier: Apache-2.0

import CVips

extension UInt8: ImageSample {
    /// The format of `UInt8` samples, `BandFormat.uchar`.
    public static var format: BandFormat { .uchar }
}

extension UInt16: ImageSample {
    /// The format of `UInt16` samples, `BandFormat.ushort`.
    public static var format: BandFormat { .ushort }
}

extension Float: ImageSample {
    /// The format of `Float` samples, `BandFormat.float`.
    public static var format: BandFormat { .float }
}

extension Image {
    /// Creates an image from samples, which are copied.
    ///
    /// - Parameters:
    ///   - samples: The samples in row-major order, interleaved by pixel: `UInt8`, `UInt16` or `Float`.
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - bands: The number of samples per pixel.
    ///   - interpretation: The meaning of the bands. By default, 8-bit and 16-bit samples are gray (one or two
    ///     bands) or RGB (three or four), with alpha last if the number of bands is even. Others have no particular
    ///     meaning.
    /// - Throws: `VipsError` with `invalidValue` unless there are exactly `width * height * bands` samples, at
    ///   least one.
    public convenience init<Sample: ImageSample>(
        samples: [Sample], width: Int, height: Int, bands: Int,
        interpretation: Interpretation? = nil
    ) throws {
        try self.init(
            bytes: samples.withUnsafeBytes { [UInt8]($0) }, width: width, height: height,
            bands: bands, format: Sample.format,
            interpretation: interpretation ?? .defaultValue(of: Sample.format, bands: bands))
    }

    /// Creates a matrix image, as operations such as `conv` and `recomb` expect it: one band of 64-bit floating
    /// point.
    ///
    /// - Parameters:
    ///   - matrix: The rows, from top to bottom.
    ///   - scale: The divisor that a convolution applies to each sum.
    ///   - offset: The value that a convolution adds to each quotient.
    /// - Throws: `VipsError` with `invalidValue` unless the matrix is not empty, all rows have the same length,
    ///   every number is finite, and the scale is not 0.
    public convenience init(
        matrix: [[Double]], scale: Double = 1, offset: Double = 0
    ) throws {
        let width = matrix.first?.count ?? 0
        let numbers = matrix.flatMap { $0 }
        if let row = matrix.firstIndex(where: { $0.count != width }) {
            throw Self.matrixError(
                "the length of row \(row) is \(matrix[row].count), that of row 0 is \(width)")
        }
        guard !numbers.isEmpty else { throw Self.matrixError("the matrix is empty") }
        guard numbers.allSatisfy(\.isFinite), offset.isFinite else {
            throw Self.matrixError("a number of the matrix, or its offset, is not finite")
        }
        guard scale.isFinite, scale != 0 else {
            throw Self.matrixError("the scale is \(scale); results are divided by it")
        }
        guard let columns = Int32(exactly: width), let rows = Int32(exactly: matrix.count),
            let count = Int32(exactly: numbers.count)
        else { throw Self.matrixError("\(numbers.count) numbers are too many") }
        guard let image = vips_image_new_matrix_from_array(columns, rows, numbers, count) else {
            throw VipsError.last(in: "matrix")
        }
        // The image has not been shared yet, so it may be changed.
        vips_image_set_double(image, "scale", scale)
        vips_image_set_double(image, "offset", offset)
        self.init(taking: image)
    }

    private static func matrixError(_ message: String) -> VipsError {
        VipsError(code: .invalidValue, operation: "matrix", message: message)
    }
}

extension Interpretation {
    /// The interpretation that libvips' loaders would choose.
    fileprivate static func defaultValue(of format: BandFormat, bands: Int) -> Interpretation {
        switch (format, bands) {
        case (.uchar, 1...2): .gray
        case (.uchar, 3...4): .srgb
        case (.ushort, 1...2): .gray16
        case (.ushort, 3...4): .rgb16
        default: .multiband
        }
    }
}
