// SPDX-License-Identifier: Apache-2.0

import CLightAndColor
import EditingExtensionAPI

/// The small picture from which a base layer is made.
struct BaseLayer {
    /// Luma, 0...1, in rows.
    let luma: [Float]
    let width: Int
    let height: Int
    /// The columns of the picture for one of this.
    let columns: Int
    /// The rows of the picture for one of this.
    let rows: Int
    /// The radius of the filter in pixels of this, 3 percent of the longer side.
    let radius: (horizontal: Int, vertical: Int)

    /// The variance at which half of the detail belongs to the base layer: a tenth of the range, squared.
    static let edge: Float = 0.01

    /// The longer side is at least this, if the picture's is. A size that hardly depends on the picture's makes previews and
    /// the full size look alike.
    private static let longerSide = 512

    /// Reduces an image. Reads all of it.
    ///
    /// - Parameter weights: The shares of red, green and blue in luma.
    init(of image: Image, weights: [Double]) throws {
        let longer = max(image.width, image.height)
        let factor = max(1, longer / Self.longerSide)
        (columns, rows) = (min(factor, image.width), min(factor, image.height))
        let greatest = image.format == .uchar ? 255.0 : 65535
        var result: UnsafeMutablePointer<VipsImage>?
        guard
            lc_reduce(
                image.pointer, Int32(columns), Int32(rows), weights.map { Float($0 / greatest) },
                &result) == 0, let result
        else { throw VipsError.last(in: "light and color") }
        let small = Image(taking: result)
        (width, height) = (small.width, small.height)
        let reach = 0.03 * Double(longer)
        radius = (Int((reach / Double(columns)).rounded()), Int((reach / Double(rows)).rounded()))
        luma = try small.pixels().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
}
