// SPDX-License-Identifier: Apache-2.0

import CVips

extension ImageSource {
    /// Creates a source that reads from memory owned by another object, such as a mapped file. Nothing is copied.
    ///
    /// - Parameters:
    ///   - memory: The encoded picture. It must not be empty, because libvips 8.14 aborts the process on an empty
    ///     source.
    ///   - owner: The owner of the memory, which is retained until the last loader of this source no longer needs the
    ///     memory.
    /// - Throws: `VipsError` with `inputOutput`.
    public convenience init(memory: UnsafeRawBufferPointer, owner: AnyObject) throws(VipsError) {
        guard let source = vips_source_new_from_memory(memory.baseAddress, memory.count) else {
            throw VipsError.last(in: "source", code: .inputOutput)
        }
        g_object_set_data_full(
            UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self),
            "edithost-owner", Unmanaged.passRetained(owner).toOpaque(), releaseOwner)
        self.init(taking: source)
    }
}

/// Called by GObject on any thread when the source is finalised.
private nonisolated func releaseOwner(_ owner: UnsafeMutableRawPointer?) {
    guard let owner else { return }
    Unmanaged<AnyObject>.fromOpaque(owner).release()
}
