// SPDX-License-Identifier: Apache-2.0

import CVignette
import EditingExtensionAPI
import Glibc
import PictureLight

/// The values of a vignette in the form in which they are applied to pixels.
final class VignetteEdit {
    /// The change of light for an amount of 1, in stops.
    static let stopsOfAmount = 2.0

    /// The edit in C, which this object owns until it is passed to an image.
    private var edit: UnsafeMutablePointer<vg_edit>?

    /// Prepares an edit of an image.
    ///
    /// - Throws: `EditingExtensionError` if the image cannot be edited.
    init(_ vignette: Vignette, of image: Image) throws {
        guard image.format == .uchar || image.format == .ushort, image.bands >= 3 else {
            throw EditingExtensionError(
                code: .unsupported, message: "only RGB pictures of 8 or 16 bits can be edited")
        }
        let levels = image.format == .uchar ? 256 : 65536
        guard let edit = vg_edit_make(Int32(levels), Int32(image.width)) else {
            throw EditingExtensionError(code: .failed, message: "there is not enough memory")
        }
        self.edit = edit
        try PictureProfile(of: image).set(&edit.pointee.curves, levels: levels)
        Self.setDistance(of: edit, vignette, width: image.width, height: image.height)
        let diagonal = hypot(Double(image.width), Double(image.height))
        // Even a hard edge is at least one pixel wide. A distance of 1 is half the diagonal.
        let length = max(vignette.softness, 2 / diagonal)
        edit.pointee.start = Float(vignette.radius - length / 2)
        edit.pointee.slope = Float(1 / length)
        edit.pointee.stops = Float(vignette.amount * Self.stopsOfAmount)
    }

    deinit { vg_edit_free(edit) }

    /// Returns the edited image, which is lazy. May be called only once.
    func applied(to image: Image) throws -> Image {
        var result: UnsafeMutablePointer<VipsImage>?
        let passed = edit
        edit = nil
        guard vg_image(image.pointer, passed, &result) == 0, let result else {
            throw VipsError.last(in: "vignette")
        }
        return Image(taking: result)
    }

    /// Sets the squared distance from the centre, which is a weighted sum of the squares of both coordinates.
    ///
    /// The distance of the corners from the picture's centre is 1 for every roundness.
    private static func setDistance(
        of edit: UnsafeMutablePointer<vg_edit>, _ vignette: Vignette, width: Int, height: Int
    ) {
        let (columns, rows) = (Double(width), Double(height))
        let circle = 4 / (columns * columns + rows * rows)
        func scale(_ side: Double) -> Double {
            (1 - vignette.roundness) * 2 / (side * side) + vignette.roundness * circle
        }
        let columnScale = scale(columns)
        for column in 0..<width {
            let right = Double(column) + 0.5 - vignette.center.x * columns
            edit.pointee.columns[column] = Float(columnScale * right * right)
        }
        edit.pointee.center = vignette.center.y * rows
        edit.pointee.row_scale = scale(rows)
    }
}
