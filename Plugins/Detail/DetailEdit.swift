// SPDX-License-Identifier: Apache-2.0

import CDetail
import EditingExtensionAPI
import PictureLight

/// The values of Detail in the form in which they are applied to pixels.
final class DetailEdit {
    /// The factor of the unsharp mask for a `sharpen` of 1.
    private static let sharpening: Float = 2.5
    /// The difference from the blurred luma that is halved to suppress halos, relative to the range of the samples.
    private static let halo: Float = 0.1
    /// The standard deviation of detail at which sharpening is halved for an `edges` of 1.
    private static let flatness = 0.03
    /// The factor of the difference from the base layer for a `definition` of 1.
    private static let definition = 0.8
    /// The weights of red, green and blue in luma, as defined by ITU-R BT.709.
    private static let luma = [0.2126, 0.7152, 0.0722]

    /// The edit in C, which this object owns until it is passed to an image.
    private var edit: UnsafeMutablePointer<dt_edit>?

    /// Prepares an edit of an image. If `definition` is not 0, this reads the image.
    ///
    /// - Parameter scale: The width of the image relative to the photo's, 0...1.
    init(_ filter: Detail, of image: Image, scale: Double) throws {
        guard image.format == .uchar || image.format == .ushort, (3...4).contains(image.bands)
        else {
            throw EditingExtensionError(
                code: .unsupported, message: "only RGB pictures of 8 or 16 bits can be edited")
        }
        guard let edit = dt_edit_make() else {
            throw EditingExtensionError(code: .failed, message: "there is not enough memory")
        }
        self.edit = edit
        let luminance = NoiseVariance(deviation: 0.03 * filter.luminanceNoise, scale: scale)
        copy(luminance.levels, to: &edit.pointee.luma_noise)
        let color = NoiseVariance(deviation: 0.05 * filter.colorNoise, scale: scale)
        copy(color.levels, to: &edit.pointee.color_noise)
        edit.pointee.halo = Self.halo
        if filter.sharpen > 0 {
            let blur = GaussianWeights(deviation: filter.radius * scale)
            copy(blur.weights, to: &edit.pointee.gaussian)
            edit.pointee.radius = Int32(blur.radius)
            edit.pointee.sharpening = Self.sharpening * Float(filter.sharpen)
            edit.pointee.flatness = Float(
                Self.flatness * filter.edges * Self.flatness * filter.edges)
        }
        if filter.definition != 0 {
            edit.pointee.definition = Float(Self.definition * filter.definition)
            try BaseLayer(of: image, weights: Self.luma).set(&edit.pointee.base)
        }
    }

    deinit { dt_edit_free(edit) }

    /// Returns the edited image, which is lazy. May be called only once.
    func applied(to image: Image) throws -> Image {
        var result: UnsafeMutablePointer<VipsImage>?
        let passed = edit
        edit = nil
        guard dt_image(image.pointer, passed, &result) == 0, let result else {
            throw VipsError.last(in: "detail")
        }
        return Image(taking: result)
    }
}
