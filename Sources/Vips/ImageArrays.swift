// SPDX-License-Identifier: Apache-2.0

import CVips

/// A number that an image can be made of: `UInt8`, `UInt16` or `Float`.
public protocol ImageSample: BitwiseCopyable, Sendable {
    /// How an image stores it.
    static var format: BandFormat { get }
}

extension UInt8: ImageSample {
    /// Unsigned, 8 bit.
    public static var format: BandFormat { .uchar }
}

extension UInt16: ImageSample {
    /// Unsigned, 16 bit.
    public static var format: BandFormat { .ushort }
}

extension Float: ImageSample {
    /// Floating point, 32 bit.
    public static var format: BandFormat { .float }
}

extension Image {
    /// An image of numbers, which are copied.
    ///
    /// Throws `invalidValue` unless there are exactly `width * height * bands` numbers, at least one.
    ///
    /// - Parameters:
    ///   - samples: Row after row, in each pixel after pixel: `UInt8`, `UInt16` or `Float`.
    ///   - width: Columns.
    ///   - height: Rows.
    ///   - bands: Numbers in a pixel.
    ///   - interpretation: What they mean. Without it, numbers of 8 and 16 bit are gray (one or two bands) or red, green
    ///     and blue (three or four), with alpha last where the number of bands is even; others have no particular meaning.
    public convenience init<Sample: ImageSample>(
        samples: [Sample], width: Int, height: Int, bands: Int,
        interpretation: Interpretation? = nil
    ) throws {
        try self.init(
            bytes: samples.withUnsafeBytes { [UInt8]($0) }, width: width, height: height,
            bands: bands, format: Sample.format,
            interpretation: interpretation ?? .usual(of: Sample.format, bands: bands))
    }

    /// A matrix, as operations such as `conv` and `recomb` take it: an image of one band of 64-bit floating point.
    ///
    /// Throws `invalidValue` unless there is a number, all rows are of one length, every number is finite, and the scale is not 0.
    ///
    /// - Parameters:
    ///   - matrix: The rows, from top to bottom.
    ///   - scale: What a convolution divides each sum by.
    ///   - offset: What it adds to each quotient.
    public convenience init(
        matrix: [[Double]], scale: Double = 1, offset: Double = 0
    ) throws {
        let width = matrix.first?.count ?? 0
        let numbers = matrix.flatMap { $0 }
        if let row = matrix.firstIndex(where: { $0.count != width }) {
            throw Self.matrixError(
                "row \(row) has \(matrix[row].count) numbers, row 0 has \(width)")
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
        // Nobody else has seen the image yet.
        vips_image_set_double(image, "scale", scale)
        vips_image_set_double(image, "offset", offset)
        self.init(taking: image)
    }

    private static func matrixError(_ message: String) -> VipsError {
        VipsError(code: .invalidValue, operation: "matrix", message: message)
    }
}

extension Interpretation {
    /// What libvips' own loaders would say.
    fileprivate static func usual(of format: BandFormat, bands: Int) -> Interpretation {
        switch (format, bands) {
        case (.uchar, 1...2): .gray
        case (.uchar, 3...4): .srgb
        case (.ushort, 1...2): .gray16
        case (.ushort, 3...4): .rgb16
        default: .multiband
        }
    }
}
