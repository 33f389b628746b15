// SPDX-License-Identifier: Apache-2.0

import CColorMixer
import EditingExtensionAPI
import Glibc
import PictureLight

/// The values of the mixer in the form in which they are applied to pixels.
final class MixedColors {
    /// The edit in C, which this object owns until it is passed to an image.
    private var edit: UnsafeMutablePointer<cm_edit>?

    /// Prepares an edit of an image.
    ///
    /// - Throws: `EditingExtensionError` if the image cannot be edited.
    init(_ mixer: ColorMixer, of image: Image) throws {
        guard image.format == .uchar || image.format == .ushort, image.bands >= 3 else {
            throw EditingExtensionError(
                code: .unsupported, message: "only RGB pictures of 8 or 16 bits can be edited")
        }
        let levels = image.format == .uchar ? 256 : 65536
        guard let edit = cm_edit_make(Int32(levels)) else {
            throw EditingExtensionError(code: .failed, message: "there is not enough memory")
        }
        self.edit = edit
        let profile = try PictureProfile(of: image)
        try profile.set(&edit.pointee.curves, levels: levels)
        let cones = try Oklab.cones(of: profile.primaries)
        copy(cones.to.numbers, to: &edit.pointee.to_cones)
        copy(cones.from.numbers, to: &edit.pointee.from_cones)
        let changes = HueChanges(mixer)
        withUnsafeMutableBytes(of: &edit.pointee.changes) { memory in
            let table = memory.bindMemory(to: cm_change.self)
            for index in table.indices {
                table[index] = changes.change(atHue: cm_hue(Int32(index)))
            }
        }
        if mixer.blackAndWhite { edit.pointee.tint = try Self.tint(of: mixer) }
    }

    deinit { cm_edit_free(edit) }

    /// Returns the edited image, which is lazy. May be called only once.
    func applied(to image: Image) throws -> Image {
        var result: UnsafeMutablePointer<VipsImage>?
        let passed = edit
        edit = nil
        guard cm_image(image.pointer, passed, &result) == 0, let result else {
            throw VipsError.last(in: "color mixer")
        }
        return Image(taking: result)
    }

    /// Returns the coordinates a and b of the tint.
    private static func tint(of mixer: ColorMixer) throws -> (Float, Float) {
        let lab = try Oklab.lab(ofSRGB: SRGBColor(mixer.tint, parameter: "tint").values)
        return (Float(lab[1]), Float(lab[2]))
    }
}
