// SPDX-License-Identifier: Apache-2.0

import CVips

/// Edits the metadata of a copy inside `Image.copying`. Valid only during the closure.
public struct ImageMetadataEditor {
    private let image: Image

    init(image: Image) { self.image = image }

    /// Sets an integer field.
    public func set(_ name: String, to value: Int) {
        vips_image_set_int(image.pointer, name, Int32(clamping: value))
    }

    /// Sets a floating-point field.
    public func set(_ name: String, to value: Double) {
        vips_image_set_double(image.pointer, name, value)
    }

    /// Sets a string field.
    public func set(_ name: String, to value: String) {
        vips_image_set_string(image.pointer, name, value)
    }

    /// Sets a binary field to a copy of the bytes.
    public func set(_ name: String, to value: [UInt8]) {
        value.withUnsafeBytes {
            vips_image_set_blob_copy(image.pointer, name, $0.baseAddress, $0.count)
        }
    }

    /// Removes a field. Returns false if there was no such field.
    @discardableResult public func remove(_ name: String) -> Bool {
        vips_image_remove(image.pointer, name) != 0
    }

    /// Copies the resolution of another image. libvips represents an unknown resolution as one pixel per millimetre. It
    /// is replaced by 72 dpi, EXIF's default (CIPA DC-008, XResolution).
    public func setResolution(of other: Image) {
        let (x, y) = (other.pointer.pointee.Xres, other.pointer.pointee.Yres)
        let isKnown = x != 1 || y != 1
        image.pointer.pointee.Xres = isKnown ? x : 72 / 25.4
        image.pointer.pointee.Yres = isKnown ? y : 72 / 25.4
    }

    /// Sets the meaning of the bands. The pixels do not change.
    public func setInterpretation(_ interpretation: Interpretation) {
        image.pointer.pointee.Type = VipsInterpretation(rawValue: interpretation.rawValue)
    }
}
