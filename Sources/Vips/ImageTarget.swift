// SPDX-License-Identifier: Apache-2.0

import CVips

/// A destination for the encoded bytes of a saver. Each target can be written once.
///
/// `@unchecked Sendable` is safe: the only stored property is a constant pointer whose reference this object owns,
/// and only its saver uses it.
public final class ImageTarget: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<VipsTarget>

    /// Creates a target that writes to a duplicate of a file descriptor. The caller keeps its descriptor.
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

extension Image {
    /// Computes the pixels and writes them encoded to a target.
    ///
    /// - Parameters:
    ///   - target: The destination.
    ///   - saver: The saver, such as "jpegsave_target".
    ///   - options: The saver's options, such as `["Q": 92]`.
    public func write(
        to target: ImageTarget, saver: String, options: [String: OperationValue] = [:]
    ) throws {
        let operation = try ImageOperation(saver)
        try operation.set("in", to: .image(self))
        try operation.set("target", to: .target(target))
        for (name, value) in options { try operation.set(name, to: value) }
        try operation.run()
    }

    /// Computes the pixels and returns them encoded.
    ///
    /// - Parameters:
    ///   - saver: The saver, such as "pngsave_buffer".
    ///   - options: The saver's options.
    public func encoded(
        saver: String, options: [String: OperationValue] = [:]
    ) throws -> [UInt8] {
        let operation = try ImageOperation(saver)
        try operation.set("in", to: .image(self))
        for (name, value) in options { try operation.set(name, to: value) }
        try operation.run()
        return try operation.bytes("buffer")
    }
}
