// SPDX-License-Identifier: Apache-2.0

import CVips

/// An image whose pixels are in memory, or are computed by libvips on demand.
///
/// Images are effectively immutable: every operation returns a new one.
///
/// `@unchecked Sendable` is safe: the only stored property is a constant pointer to a `VipsImage` of which this
/// object owns one reference. GObject's reference counts are atomic. A `VipsImage` does not change once it has been
/// built (`copying` edits metadata before the copy is shared). libvips allows any thread to read a built image and
/// to run operations on it.
public final class Image: @unchecked Sendable {
    /// The libvips object, valid as long as this image exists.
    public let pointer: UnsafeMutablePointer<VipsImage>

    /// Creates an image that takes ownership of the caller's reference.
    public init(taking pointer: UnsafeMutablePointer<VipsImage>) {
        self.pointer = pointer
    }

    /// Creates an image that adds its own reference. The caller keeps its reference.
    public convenience init(retaining pointer: UnsafeMutablePointer<VipsImage>) {
        g_object_ref(pointer)
        self.init(taking: pointer)
    }

    deinit {
        g_object_unref(pointer)
    }

    /// Returns a new reference for C code, which must release it with `g_object_unref`.
    public func passRetained() -> UnsafeMutablePointer<VipsImage> {
        g_object_ref(pointer)
        return pointer
    }

    /// The width in pixels.
    public var width: Int { Int(pointer.pointee.Xsize) }
    /// The height in pixels.
    public var height: Int { Int(pointer.pointee.Ysize) }
    /// The number of samples per pixel, alpha included.
    public var bands: Int { Int(pointer.pointee.Bands) }
    /// The numeric type of the samples.
    public var format: BandFormat {
        BandFormat(rawValue: pointer.pointee.BandFmt.rawValue) ?? .uchar
    }

    /// The meaning of the bands, such as sRGB.
    public var interpretation: Interpretation {
        Interpretation(rawValue: pointer.pointee.Type.rawValue) ?? .multiband
    }

    /// Whether the last band is alpha.
    public var hasAlpha: Bool { vips_image_hasalpha(pointer) != 0 }
    /// The size of one pixel in bytes.
    public var bytesPerPixel: Int { bands * format.size }
    /// The size of one row in bytes, without padding.
    public var bytesPerRow: Int { width * bytesPerPixel }
    /// The size of all pixels in bytes, without padding.
    public var byteCount: Int { height * bytesPerRow }

    /// Stops the computation of this image's pixels: a reader gets an error.
    ///
    /// May be called from any thread while another one reads pixels.
    public func setKilled(_ isKilled: Bool) {
        vips_image_set_kill(pointer, isKilled ? 1 : 0)
    }
}
