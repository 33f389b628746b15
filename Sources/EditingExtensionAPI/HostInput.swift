// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import Vips

/// A Swift wrapper of the functions of `ee_input`.
///
/// `@unchecked Sendable` is safe: the contract guarantees that the structure does not change until `destroy` and
/// that its functions may be called on any thread.
struct HostInput: @unchecked Sendable {
    let pointer: UnsafePointer<ee_input>
    /// Nil if the host lacks the capability.
    let work: HostWork?

    init(_ pointer: UnsafePointer<ee_input>) {
        self.pointer = pointer
        work = HostWork(pointer)
    }

    func displayImage() throws -> Image {
        var image: UnsafeMutablePointer<VipsImage>?
        var error = ee_error()
        let status = pointer.pointee.display_image(pointer, &image, &error)
        return try taken(image, status, error)
    }

    func fullSizeImage(_ access: PixelAccess) throws -> Image {
        var image: UnsafeMutablePointer<VipsImage>?
        var error = ee_error()
        let status = pointer.pointee.full_size_image(pointer, access.raw, &image, &error)
        return try taken(image, status, error)
    }

    func fullSizePath() throws -> String {
        var path: UnsafePointer<CChar>?
        var error = ee_error()
        let status = pointer.pointee.full_size_path(pointer, &path, &error)
        return try copied(path, status, error)
    }

    func renderedContentPath(_ contentType: String) throws -> String {
        var path: UnsafePointer<CChar>?
        var error = ee_error()
        let status = pointer.pointee.rendered_content_path(pointer, contentType, &path, &error)
        return try copied(path, status, error)
    }

    private func taken(
        _ image: UnsafeMutablePointer<VipsImage>?, _ status: ee_status, _ error: ee_error
    ) throws -> Image {
        if let error = EditingExtensionError(status: status, error) { throw error }
        guard let image else {
            throw EditingExtensionError(code: .failed, message: "the host gave no image")
        }
        return Image(taking: image)
    }

    private func copied(
        _ path: UnsafePointer<CChar>?, _ status: ee_status, _ error: ee_error
    ) throws -> String {
        if let error = EditingExtensionError(status: status, error) { throw error }
        guard let path else {
            throw EditingExtensionError(code: .failed, message: "the host gave no path")
        }
        return String(cString: path)
    }
}
