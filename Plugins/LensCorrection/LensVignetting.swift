// SPDX-License-Identifier: Apache-2.0

import CLensCorrection
import CLensfun
import EditingExtensionAPI
import PictureLight

/// Lightens what a lens darkens.
enum LensVignetting {
    /// Returns a picture without the vignetting of its lens.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` if the picture's profile is no matrix with curves; with
    ///   `badAdjustment` if the lens has an unknown model.
    static func removed(from image: Image, _ found: FoundLens) throws -> Image {
        let modifier = try found.modifier(
            width: image.width, height: image.height, flags: LF_MODIFY_VIGNETTING, scale: 1,
            reverses: true)
        defer { lf_modifier_destroy(modifier) }
        let levels = image.format == .uchar ? 256 : 65536
        guard
            let edit = ln_edit_make(
                Int32(levels), modifier, Int32(image.width), Int32(image.height))
        else { throw EditingExtensionError.outOfMemory }
        do {
            try PictureProfile(of: image).set(&edit.pointee.curves, levels: levels)
            guard ln_edit_prepare(edit) else { throw EditingExtensionError.outOfMemory }
        } catch {
            ln_edit_free(edit)
            throw error
        }
        var result: UnsafeMutablePointer<VipsImage>?
        guard ln_image(image.pointer, edit, &result) == 0, let result else {
            throw VipsError.last(in: "lens correction")
        }
        return Image(taking: result)
    }
}
