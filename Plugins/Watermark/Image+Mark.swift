// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import PictureLight

/// The steps that turn a rendered or decoded image into the mark of a picture.
extension Image {
    /// Returns an image of 16 bits whose bands are multiplied by factors and rounded.
    func multiplied(by factors: [Double]) throws -> Image {
        try applying("linear", ["a": .doubles(factors), "b": 0.5])
            .applying("cast", ["format": "ushort"])
    }

    /// Returns an image of 16 bits, with the colours of this RGBA image converted to another profile.
    func converted(to profile: RGBProfile) throws -> Image {
        let own = RGBProfile(of: self)
        let (words, bands) = (format == .uchar ? 257.0 : 1, [1.0, 1, 1, 1])
        guard own != profile else {
            return try multiplied(by: bands.map { $0 * words }).in16Bits()
        }
        guard let source = try? withMatrixProfile() else {
            throw EditingExtensionError.bad(
                "image", "has a damaged profile; convert it to sRGB with another program")
        }
        let transform = try ColorTransform(
            from: .encoded(RGBProfile(of: source)), to: .encoded(profile))
        return try source.applying(transform).multiplied(by: bands.map { $0 * 65535 }).in16Bits()
    }

    /// Returns this RGBA image scaled to another size and with another opacity. Colours are weighted with alpha.
    func scaled(width: Int, height: Int, opacity: Double) throws -> Image {
        let opaque = OperationValue.double(65535)
        var image = self
        if (width, height) != (self.width, self.height) {
            image = try image.applying("premultiply", ["max_alpha": opaque])
                .resized(width: width, height: height)
                .applying("unpremultiply", ["max_alpha": opaque])
        }
        return try image.multiplied(by: [1, 1, 1, opacity]).in16Bits()
    }

    /// Returns the image scaled to another size. The filter has no negative weights, so edges get no halos.
    func resized(width: Int, height: Int) throws -> Image {
        if (width, height) == (self.width, self.height) { return self }
        let resized = try applying(
            "resize",
            [
                "scale": .double(Double(width) / Double(self.width)),
                "vscale": .double(Double(height) / Double(self.height)), "kernel": "linear",
            ])
        return resized
    }

    /// Returns this RGBA image rotated clockwise about its centre, on a transparent background of a given size.
    func rotated(_ degrees: Double, width: Int, height: Int) throws -> Image {
        let (cosine, sine) = MarkLayout.cosineAndSine(degrees)
        let (right, down) = (Double(width - 1) / 2, Double(height - 1) / 2)
        let map = AffineMap(
            xx: cosine, xy: sine, x: Double(self.width - 1) / 2 - cosine * right - sine * down,
            yx: -sine, yy: cosine, y: Double(self.height - 1) / 2 + sine * right - cosine * down)
        return try computedInMemory(upTo: 4_000_000)
            .warped(by: map, width: width, height: height, edges: .empty)
    }

    /// Returns the image with its pixels computed in memory, or the image itself if it has more pixels than a limit.
    func computedInMemory(upTo pixels: Int) throws -> Image {
        width * height <= pixels ? try copiedToMemory() : self
    }

    private func in16Bits() throws -> Image {
        try applying("copy", ["interpretation": "rgb16"])
    }
}
