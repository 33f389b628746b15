// SPDX-License-Identifier: Apache-2.0

import CVips

/// A picture, or the description of one that libvips computes when its pixels are asked for.
///
/// Images are values in all but name: no operation changes one, each returns a new one.
///
/// `@unchecked Sendable` is safe: the only stored property is a constant pointer to a `VipsImage`
/// of which this object owns one reference. Reference counts of GObject are atomic, a `VipsImage`
/// is not changed once it has been built (metadata is edited in `copying`, before anybody else
/// sees the copy), and libvips lets any thread read a built image and run operations on it.
public final class Image: @unchecked Sendable {
    /// The libvips object, valid as long as this image lives.
    public let pointer: UnsafeMutablePointer<VipsImage>

    /// Takes over a reference that the caller owns.
    public init(taking pointer: UnsafeMutablePointer<VipsImage>) {
        self.pointer = pointer
    }

    /// Adds a reference of its own; the caller keeps its.
    public convenience init(retaining pointer: UnsafeMutablePointer<VipsImage>) {
        g_object_ref(pointer)
        self.init(taking: pointer)
    }

    deinit {
        g_object_unref(pointer)
    }

    /// A new reference for C code, which must release it with `g_object_unref`.
    public func passRetained() -> UnsafeMutablePointer<VipsImage> {
        g_object_ref(pointer)
        return pointer
    }

    /// The number of columns.
    public var width: Int { Int(pointer.pointee.Xsize) }
    /// The number of rows.
    public var height: Int { Int(pointer.pointee.Ysize) }
    /// The numbers in a pixel, alpha included.
    public var bands: Int { Int(pointer.pointee.Bands) }
    /// How each of these numbers is stored.
    public var format: BandFormat {
        BandFormat(rawValue: pointer.pointee.BandFmt.rawValue) ?? .uchar
    }

    /// What the bands mean.
    public var interpretation: Interpretation {
        Interpretation(rawValue: pointer.pointee.Type.rawValue) ?? .multiband
    }

    /// Whether the last band is alpha.
    public var hasAlpha: Bool { vips_image_hasalpha(pointer) != 0 }
    /// The bytes in one pixel.
    public var bytesPerPixel: Int { bands * format.size }
    /// The bytes in one row without padding.
    public var bytesPerRow: Int { width * bytesPerPixel }
    /// The bytes of all pixels.
    public var byteCount: Int { height * bytesPerRow }

    /// Stops the computation of this image's pixels: whoever is pulling them gets an error.
    ///
    /// May be called from any thread, while another one pulls pixels.
    public func setKilled(_ isKilled: Bool) {
        vips_image_set_kill(pointer, isKilled ? 1 : 0)
    }
}
