// SPDX-License-Identifier: Apache-2.0

import CPictureLight
import EditingExtensionAPI

extension Image {
    /// Returns the image with a profile of curves and a matrix, which edits in light need: the image itself if it has
    /// one, or no profile; otherwise in ProPhoto RGB, with 16 bits, so that its wide steps do not band.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` if the profile is damaged.
    package func withMatrixProfile() throws -> Image {
        let profile = RGBProfile(of: self)
        guard case .icc(let bytes) = profile, !Self.isMatrix(profile) else { return self }
        let deep = try in16Bits()
        var converted: UnsafeMutablePointer<VipsImage>?
        let status = withExtendedLifetime(deep) {
            pl_prophoto(deep.pointer, bytes, bytes.count, &converted)
        }
        guard status == 0, let converted else {
            throw EditingExtensionError(
                code: .unsupported,
                message:
                    "the profile of the photo is unusable: \(VipsError.last(in: "profile").message); "
                    + "export the photo with --profile srgb, and edit the copy")
        }
        return Image(taking: converted)
    }

    /// Whether the host can compute light with a profile.
    private static func isMatrix(_ profile: RGBProfile) -> Bool {
        (try? ColorTransform(from: .encoded(profile), to: .linear(profile))) != nil
    }

    private func in16Bits() throws -> Image {
        guard format == .uchar else { return self }
        return try applying("linear", ["a": [257], "b": [0]]).applying("cast", ["format": "ushort"])
            .copying { $0.setInterpretation(.rgb16) }
    }
}
