// SPDX-License-Identifier: Apache-2.0

import CPictureLight
import EditingExtensionAPI

/// The small picture from which a base layer is made.
package struct BaseLayer {
    /// Luma, 0...1, in rows.
    package let luma: [Float]
    private let width: Int
    private let height: Int
    /// The columns of the picture for one of this.
    private let columns: Int
    /// The rows of the picture for one of this.
    private let rows: Int
    /// The radius of the filter in pixels of this, 3 percent of the longer side.
    private let radius: (horizontal: Int, vertical: Int)

    /// The variance at which half of the detail belongs to the base layer: a tenth of the range, squared.
    private static let edge: Float = 0.01

    /// The longer side is at least this, if the picture's is. A size that hardly depends on the picture's makes previews and
    /// the full size look alike.
    private static let longerSide = 512

    /// Reduces an image. Reads all of it.
    ///
    /// - Parameter weights: The shares of red, green and blue in luma.
    package init(of image: Image, weights: [Double]) throws {
        let longer = max(image.width, image.height)
        let factor = max(1, longer / Self.longerSide)
        (columns, rows) = (min(factor, image.width), min(factor, image.height))
        let greatest = image.format == .uchar ? 255.0 : 65535
        var result: UnsafeMutablePointer<VipsImage>?
        guard
            pl_reduce(
                image.pointer, Int32(columns), Int32(rows), weights.map { Float($0 / greatest) },
                &result) == 0, let result
        else { throw VipsError.last(in: "light and color") }
        let small = Image(taking: result)
        (width, height) = (small.width, small.height)
        let reach = 0.03 * Double(longer)
        radius = (Int((reach / Double(columns)).rounded()), Int((reach / Double(rows)).rounded()))
        luma = try small.pixels().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// Computes the coefficients of a base layer from this picture.
    ///
    /// - Throws: `EditingExtensionError` if there is not enough memory.
    package func set(_ base: inout pl_base) throws {
        base.columns_per_pixel = Double(columns)
        base.rows_per_pixel = Double(rows)
        guard
            pl_base_set(
                &base, luma, Int32(width), Int32(height), Int32(radius.horizontal),
                Int32(radius.vertical), Self.edge)
        else {
            throw EditingExtensionError(code: .failed, message: "there is not enough memory")
        }
    }
}
