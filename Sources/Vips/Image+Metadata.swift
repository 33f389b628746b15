// SPDX-License-Identifier: Apache-2.0

import CVips

/// The metadata fields of an image: orientation, profile, EXIF, XMP and fields added by libvips.
extension Image {
    /// The names of all fields, including libvips' header fields.
    public var fieldNames: [String] {
        guard let names = vips_image_get_fields(pointer) else { return [] }
        defer { g_strfreev(names) }
        var result: [String] = []
        var next = names
        while let name = next.pointee {
            result.append(String(cString: name))
            next += 1
        }
        return result
    }

    /// Returns whether there is a field with this name, of any type.
    public func hasField(_ name: String) -> Bool { vips_image_get_typeof(pointer, name) != 0 }

    /// Whether the image has an ICC profile.
    public var hasProfile: Bool { hasField("icc-profile-data") }

    /// Returns the value of an integer field, or nil if there is no such field.
    public func integer(_ name: String) -> Int? {
        var value: Int32 = 0
        return found(name, vips_image_get_int(pointer, name, &value)) ? Int(value) : nil
    }

    /// Returns the value of a floating-point field, or nil if there is no such field.
    public func double(_ name: String) -> Double? {
        var value = 0.0
        return found(name, vips_image_get_double(pointer, name, &value)) ? value : nil
    }

    /// Returns the value of a string field, or nil if there is no such field.
    public func string(_ name: String) -> String? {
        var value: UnsafePointer<CChar>?
        guard found(name, vips_image_get_string(pointer, name, &value)) else { return nil }
        return value.map { String(cString: $0) }
    }

    /// Returns the bytes of a field such as "icc-profile-data", or nil if there is no such field.
    public func blob(_ name: String) -> [UInt8]? {
        borrowedBlob(name).map { [UInt8]($0) }
    }

    /// Returns the bytes of a field without copying them, valid as long as the image, or nil if there is no such field.
    package func borrowedBlob(_ name: String) -> UnsafeRawBufferPointer? {
        var data: UnsafeRawPointer?
        var length = 0
        guard found(name, vips_image_get_blob(pointer, name, &data, &length)) else { return nil }
        return UnsafeRawBufferPointer(start: data, count: length)
    }

    /// Returns the value of any field as libvips prints it, or nil if there is no such field.
    public func text(_ name: String) -> String? {
        guard hasField(name) else { return nil }
        var value: UnsafeMutablePointer<CChar>?
        guard vips_image_get_as_string(pointer, name, &value) == 0, let value else {
            vips_error_clear()
            return nil
        }
        defer { g_free(value) }
        return String(cString: value)
    }

    /// Returns an image with the same pixels and edited metadata. This image does not change.
    ///
    ///     let upright = try image.copying { metadata in metadata.remove("orientation") }
    ///
    /// - Throws: `VipsError`, or the error of the closure.
    public func copying(_ edit: (ImageMetadataEditor) throws -> Void) throws -> Image {
        let result = try generating(
            VIPS_DEMAND_STYLE_THINSTRIP, Source(image: self), in: "copy", passThrough)
        try edit(ImageMetadataEditor(image: result))
        return result
    }

    /// Clears libvips' error buffer after a failed look-up; otherwise its message would be part of the next error.
    private func found(_ name: String, _ status: @autoclosure () -> Int32) -> Bool {
        guard hasField(name) else { return false }
        if status() == 0 { return true }
        vips_error_clear()
        return false
    }
}

/// Keeps the source alive: libvips does not hold a reference to an image's inputs.
private final class Source: Sendable {
    private let image: Image

    init(image: Image) { self.image = image }
}

/// Called by libvips on its worker threads: `sequence` is a region of the source.
///
/// As in libvips' own copy operation, the output shares the source's pixels. If the caller requests them at a certain
/// address, the source computes them there.
private nonisolated func passThrough(
    _ output: UnsafeMutablePointer<VipsRegion>?, _ sequence: UnsafeMutableRawPointer?,
    _ a: UnsafeMutableRawPointer?, _ b: UnsafeMutableRawPointer?,
    _ stop: UnsafeMutablePointer<gboolean>?
) -> Int32 {
    guard let output, let sequence else { return -1 }
    let input = sequence.assumingMemoryBound(to: VipsRegion.self)
    var area = output.pointee.valid
    if output.pointee.type == VIPS_REGION_OTHER_REGION {
        return vips_region_prepare_to(input, output, &area, area.left, area.top)
    }
    guard vips_region_prepare(input, &area) == 0 else { return -1 }
    return vips_region_region(output, input, &area, area.left, area.top)
}
