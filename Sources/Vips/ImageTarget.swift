// SPDX-License-Identifier: Apache-2.0

import CVips

/// A destination for the encoded bytes of a saver. Each target can be written once.
///
/// `@unchecked Sendable` is safe: the only stored property is a constant pointer whose reference this object owns,
/// and only its saver uses it.
public final class ImageTarget: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<VipsTarget>

    /// Creates a target that writes to a duplicate of a file descriptor. The caller keeps its descriptor.
    ///
    /// - Throws: `VipsError` with `inputOutput`.
    public init(fileDescriptor: Int32) throws(VipsError) {
        guard let target = vips_target_new_to_descriptor(fileDescriptor) else {
            throw VipsError.last(in: "target", code: .inputOutput)
        }
        pointer = target
    }

    deinit {
        g_object_unref(pointer)
    }
}
