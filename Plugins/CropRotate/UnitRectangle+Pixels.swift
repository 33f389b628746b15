// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

extension UnitRectangle {
    /// Returns the rectangle in pixels of a picture. The edges are rounded to whole pixels, so adjacent crops meet. The
    /// result has at least one pixel.
    func pixels(
        ofWidth columns: Int, height rows: Int
    ) -> (left: Int, top: Int, width: Int, height: Int) {
        let across = Self.span(x, width, of: columns)
        let down = Self.span(y, height, of: rows)
        return (across.start, down.start, across.length, down.length)
    }

    private static func span(
        _ start: Double, _ length: Double, of size: Int
    ) -> (start: Int, length: Int) {
        let first = min(Int((start * Double(size)).rounded()), size - 1)
        let end = min(Int(((start + length) * Double(size)).rounded()), size)
        return (first, max(end - first, 1))
    }
}
