// SPDX-License-Identifier: Apache-2.0

import CLightAndColor
import EditingExtensionAPI
import Glibc
import PictureLight

/// The values of the sliders in the form in which they are applied to pixels.
final class PixelEdit {
    /// Owned until it is passed to an image.
    private var edit: UnsafeMutablePointer<lc_edit>?

    /// Prepares an edit of an image. Reads the image if there are local sliders.
    init(_ filter: LightAndColor, of image: Image) throws {
        guard image.format == .uchar || image.format == .ushort, image.bands >= 3 else {
            throw EditingExtensionError(
                code: .unsupported, message: "only RGB pictures of 8 or 16 bits can be edited")
        }
        let profile = try PictureProfile(of: image)
        let levels = image.format == .uchar ? 256 : 65536
        let hasTone = filter.blackPoint != 0 || filter.brightness != 0 || filter.contrast != 0
        guard let edit = lc_edit_make(Int32(levels), hasTone, filter.isLocal) else {
            throw Self.outOfMemory
        }
        self.edit = edit
        try profile.set(&edit.pointee.curves, levels: levels)
        try Self.setColor(of: edit, filter, profile)
        if hasTone {
            let curve = ToneCurve(
                blackPoint: filter.blackPoint, brightness: filter.brightness,
                contrast: filter.contrast)
            edit.pointee.tone_scale = Float(curve.levels.scale)
            edit.pointee.tone_offset = Float(curve.levels.offset)
            let positions = PiecewiseFunction.encodedPositions
            PiecewiseFunction.set(
                edit.pointee.tone, to: positions.map(curve.callAsFunction), at: positions)
        }
        if filter.isLocal { try Self.setGain(of: edit, filter, profile, image) }
    }

    deinit { lc_edit_free(edit) }

    /// Returns the edited image, which is lazy. Only once.
    func applied(to image: Image) throws -> Image {
        var result: UnsafeMutablePointer<VipsImage>?
        let passed = edit
        edit = nil
        guard lc_image(image.pointer, passed, &result) == 0, let result else {
            throw VipsError.last(in: "light and color")
        }
        return Image(taking: result)
    }

    private static let outOfMemory = EditingExtensionError(
        code: .failed, message: "there is not enough memory")

    private static func setColor(
        of edit: UnsafeMutablePointer<lc_edit>, _ filter: LightAndColor, _ profile: PictureProfile
    ) throws {
        let balance = WhiteBalance(warmth: filter.warmth, tint: filter.tint)
        let isBalanced = filter.warmth == 0 && filter.tint == 0
        guard
            let matrix = isBalanced
                ? Matrix(diagonal: [1, 1, 1]) : balance.matrix(for: profile.primaries)
        else {
            throw EditingExtensionError(
                code: .unsupported, message: "the profile's primaries lie on a line")
        }
        let gain = exp2(filter.exposure)
        copy(matrix.numbers.map { $0 * gain }, to: &edit.pointee.matrix)
        copy(profile.luminance, to: &edit.pointee.luminance)
        edit.pointee.saturation = Float(1 + filter.saturation)
        edit.pointee.vibrance = Float(filter.vibrance)
    }

    private static func setGain(
        of edit: UnsafeMutablePointer<lc_edit>, _ filter: LightAndColor, _ profile: PictureProfile,
        _ image: Image
    ) throws {
        let gain = LocalGain(
            highlights: filter.highlights, shadows: filter.shadows, brilliance: filter.brilliance,
            exposure: filter.exposure)
        let positions = PiecewiseFunction.encodedPositions
        let light = try profile.light(of: positions)
        let factors = positions.indices.map { index in
            gain((0..<3).reduce(0) { $0 + profile.luminance[$1] * Double(light[$1][index]) })
        }
        PiecewiseFunction.set(edit.pointee.gain, to: factors, at: positions)
        try BaseLayer(of: image, weights: profile.luminance).set(&edit.pointee.base)
    }
}
