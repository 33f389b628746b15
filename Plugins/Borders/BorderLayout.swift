// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// The widths of the line and the border around a picture, in whole pixels.
///
/// The left and right widths are equal. So are the top and bottom widths, except that the bottom may have an even
/// number of additional rows. A picture with even sides therefore keeps even sides, which videos need.
struct BorderLayout {
    /// The widths on the four sides.
    struct Margins {
        var left: Int
        var top: Int
        var right: Int
        var bottom: Int

        var isEmpty: Bool { left == 0 && top == 0 && right == 0 && bottom == 0 }

        init(_ width: Int) { (left, top, right, bottom) = (width, width, width, width) }
    }

    /// The line around the picture.
    let line: Margins
    /// The border around the line, including the canvas that the aspect ratio adds.
    let border: Margins

    /// The maximum width and height of an image in libvips.
    private static let greatestSide = 10_000_000

    /// Computes the frame of a picture.
    ///
    /// - Throws: `EditingExtensionError` with `badParameter` if a side would have more than 10 million pixels.
    init(_ borders: Borders, width: Int, height: Int) throws {
        let unit = Double(min(width, height))
        line = Margins(Self.pixels(borders.line, of: unit))
        var border = Margins(Self.pixels(borders.width, of: unit))
        border.bottom += 2 * Int((borders.bottom * unit / 2).rounded())
        let columns = width + 2 * (line.left + border.left)
        let rows = height + 2 * line.top + border.top + border.bottom
        if let ratio = borders.aspect.ratio {
            let across = Self.half(rows * ratio.width, ratio.height, beyond: columns)
            let down = Self.half(columns * ratio.height, ratio.width, beyond: rows)
            border.left += across
            border.right += across
            border.top += down
            border.bottom += down
        }
        self.border = border
        let sides = [
            width + line.left + line.right + border.left + border.right,
            height + line.top + line.bottom + border.top + border.bottom,
        ]
        guard sides.allSatisfy({ $0 <= Self.greatestSide }) else {
            throw EditingExtensionError(
                code: .badParameter,
                message: "aspect must be none for a picture of \(width) × \(height) pixels: a side "
                    + "would have more than 10 million pixels")
        }
    }

    /// Returns a fraction of a length in pixels: at least 1, unless the fraction is 0.
    private static func pixels(_ fraction: Double, of length: Double) -> Int {
        fraction == 0 ? 0 : max(1, Int((fraction * length).rounded()))
    }

    /// Returns half of the amount by which a quotient exceeds a number, rounded up; 0 if it does not exceed it.
    private static func half(_ dividend: Int, _ divisor: Int, beyond number: Int) -> Int {
        let missing = dividend - number * divisor
        return missing > 0 ? (missing + 2 * divisor - 1) / (2 * divisor) : 0
    }
}
