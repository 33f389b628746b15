// SPDX-License-Identifier: Apache-2.0

import CRetouch
import EditingExtensionAPI

/// The pixels of a picture that spots have changed.
final class RetouchLayer {
    /// Owned until it is passed to an image.
    private var layer: OpaquePointer?

    /// Creates an empty layer over an image, which needs random access.
    init(over image: Image) throws {
        guard let layer = rt_layer_make(image.pointer) else {
            throw VipsError.last(in: "retouch")
        }
        self.layer = layer
    }

    deinit { rt_layer_free(layer) }

    /// Covers a spot. Reads the spot and its source, a few rows at a time.
    ///
    /// - Parameter checkCancellation: Called before each part. After an error, the layer must not be used.
    func apply(_ spot: rt_spot, checkCancellation: () throws -> Void) throws {
        var spot = spot
        guard let work = rt_work_make(layer, &spot) else { throw VipsError.last(in: "retouch") }
        defer { rt_work_free(work) }
        var status: Int32
        repeat {
            try checkCancellation()
            status = rt_work_continue(work)
        } while status > 0
        guard status == 0 else { throw VipsError.last(in: "retouch") }
    }

    /// Returns the image with the layer, which is lazy. Only once.
    func image() throws -> Image {
        var result: UnsafeMutablePointer<VipsImage>?
        let passed = layer
        layer = nil
        guard rt_image(passed, &result) == 0, let result else {
            throw VipsError.last(in: "retouch")
        }
        return Image(taking: result)
    }
}
