// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import Vips

/// A transform from one colour space to another, in floating point. The intent is relative colorimetric, and colours
/// outside the gamut are not clipped.
///
///     let picture = ColorSpace.encoded(RGBProfile(of: image))
///     let lab = try image.applying(ColorTransform(from: picture, to: .lab))
///
/// `@unchecked Sendable` is safe: the host's structure is constant, and several threads may use it concurrently.
public final class ColorTransform: @unchecked Sendable {
    private let color: ee_color
    private let transform: OpaquePointer

    /// Creates a transform. May be called on any thread, but not before the library's entry point has been called.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` if a profile is not for red, green and blue, is malformed
    ///   or describes its colours with tables, or if the host is too old to transform colours.
    public init(from source: ColorSpace, to destination: ColorSpace) throws {
        guard
            let color = Registration.capability(
                EE_CAPABILITY_COLOR, as: ee_color.self, minimum: Int(EE_COLOR_SIZE_1_1))
        else {
            throw EditingExtensionError(
                code: .unsupported, message: "the host offers no colour transforms")
        }
        var transform: OpaquePointer?
        var error = ee_error()
        let status = source.withContract { source in
            destination.withContract { color.create(source, $0, &transform, &error) }
        }
        if let error = EditingExtensionError(status: status, error) { throw error }
        guard let transform else {
            throw EditingExtensionError(code: .failed, message: "the host gave no transform")
        }
        self.color = color
        self.transform = transform
    }

    deinit { color.release(transform) }

    /// Transforms pixels in the caller's memory. `source` and `destination` may be equal, but must not overlap
    /// otherwise. Alpha is copied.
    ///
    /// - Parameter bands: The samples per pixel: 3, or 4 with alpha as the last one.
    /// - Throws: `EditingExtensionError` with `unsupported` for another number of bands.
    public func apply(
        _ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, pixels: Int,
        bands: Int
    ) throws {
        var error = ee_error()
        let status = color.apply(
            transform, source, destination, pixels, UInt32(clamping: bands), &error)
        if let error = EditingExtensionError(status: status, error) { throw error }
    }

    /// Returns a transformed colour.
    ///
    /// - Parameter values: The three components of a colour, or four with alpha as the last one.
    /// - Throws: `EditingExtensionError` with `unsupported` for another number of values.
    public func applied(to values: [Float]) throws -> [Float] {
        var result = values
        try result.withUnsafeMutableBufferPointer { memory in
            guard let start = memory.baseAddress else { return }
            try apply(start, to: start, pixels: 1, bands: memory.count)
        }
        return result
    }
}
