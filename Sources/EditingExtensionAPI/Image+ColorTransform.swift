// SPDX-License-Identifier: Apache-2.0

import Vips

extension Image {
    /// Returns an image of floating-point samples in another colour space, computed when it is read. It keeps this
    /// image's metadata.
    ///
    /// Samples of 8 or 16 bits, including alpha, are scaled to 0...1 before the transform; floating-point samples are
    /// used unchanged. Before returning an image of encoded values to the host, multiply it by the maximum of the
    /// input's format, 255 or 65535.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` for images with another format, or without 3 or 4 bands.
    public func applying(_ transform: ColorTransform) throws -> Image {
        guard bands == 3 || bands == 4, [.uchar, .ushort, .float].contains(format) else {
            throw EditingExtensionError(
                code: .unsupported,
                message: "only images with 3 or 4 bands of 8 or 16 bits or floating point can be "
                    + "transformed, not \(bands) of \(format.name)")
        }
        let greatest = format == .uchar ? 255.0 : 65535
        let levels =
            format == .float
            ? self
            : try applying("linear", ["a": .doubles([1 / greatest]), "b": .doubles([0])])
        return try levels.filled(
            width: width, height: height, bands: bands, by: ColorFiller(levels, transform))
    }
}
