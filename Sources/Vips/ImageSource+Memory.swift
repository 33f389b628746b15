// SPDX-License-Identifier: Apache-2.0

import CVips

extension ImageSource {
    /// Reads from memory that somebody else keeps, such as a mapped file. Nothing is copied.
    ///
    /// - Parameters:
    ///   - memory: The encoded picture. Not empty: libvips 8.14 aborts the process on nothing.
    ///   - owner: Kept until the last loader of this source is done with the memory.
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

/// Called by GObject when the source is finalised, on whichever thread that happens.
private nonisolated func releaseOwner(_ owner: UnsafeMutableRawPointer?) {
    guard let owner else { return }
    Unmanaged<AnyObject>.fromOpaque(owner).release()
}
