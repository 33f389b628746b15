// SPDX-License-Identifier: Apache-2.0

import CVips

/// A source of encoded bytes for a loader. Because a source has a position, create one for each loader.
///
/// `@unchecked Sendable` is safe: the only stored property is a constant pointer whose reference this object owns, and
/// the loader guards reads of its source with a lock.
public final class ImageSource: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<VipsSource>

    /// Creates a source that takes ownership of the caller's reference.
    init(taking pointer: UnsafeMutablePointer<VipsSource>) {
        self.pointer = pointer
    }

    /// Creates a source that reads from a duplicate of a file descriptor. The caller keeps its descriptor.
    ///
    /// A duplicate shares the file position. A seekable source reads from the start of the file.
    ///
    /// - Throws: `VipsError` with `inputOutput`.
    public init(fileDescriptor: Int32) throws(VipsError) {
        guard let source = vips_source_new_from_descriptor(fileDescriptor) else {
            throw VipsError.last(in: "source", code: .inputOutput)
        }
        pointer = source
    }

    /// Creates a source that reads from a copy of the bytes.
    ///
    /// - Throws: `VipsError` with `inputOutput`.
    public init(bytes: [UInt8]) throws(VipsError) {
        let blob = bytes.withUnsafeBytes { vips_blob_copy($0.baseAddress, $0.count) }
        guard let blob else { throw VipsError.last(in: "source", code: .inputOutput) }
        defer {
            blob.withMemoryRebound(to: VipsArea.self, capacity: 1) { vips_area_unref($0) }
        }
        guard let source = vips_source_new_from_blob(blob) else {
            throw VipsError.last(in: "source", code: .inputOutput)
        }
        pointer = source
    }

    deinit {
        g_object_unref(pointer)
    }

    /// Returns the class name of the loader that recognises the first bytes, such as "VipsForeignLoadJpegSource".
    ///
    /// The source must not be empty, because libvips 8.14 aborts the process on an empty source. Check the size first.
    ///
    /// - Throws: `VipsError` with `operationFailed` if no loader recognises the bytes.
    public func findLoader() throws(VipsError) -> String {
        guard let name = vips_foreign_find_load_source(pointer) else {
            throw VipsError.last(in: "find loader")
        }
        return String(cString: name)
    }
}
