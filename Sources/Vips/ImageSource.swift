// SPDX-License-Identifier: Apache-2.0

import CVips

/// Where a loader reads an encoded picture from.
///
/// A source has a position: give each loader a source of its own. `@unchecked Sendable` is safe:
/// the one stored property is a constant pointer whose reference this object owns, and libvips
/// guards a source's reads by a lock of the loader that holds it.
public final class ImageSource: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<VipsSource>

    /// Takes over a reference that the caller owns.
    init(taking pointer: UnsafeMutablePointer<VipsSource>) {
        self.pointer = pointer
    }

    /// Reads from a file descriptor, which is duplicated: the caller's stays open and its own.
    ///
    /// A duplicate shares the file position. A source that can seek reads from the start.
    public init(fileDescriptor: Int32) throws(VipsError) {
        guard let source = vips_source_new_from_descriptor(fileDescriptor) else {
            throw VipsError.last(in: "source", code: .inputOutput)
        }
        pointer = source
    }

    /// Reads from memory, which is copied.
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

    /// The class name of the loader that recognises the first bytes, such as
    /// "VipsForeignLoadJpegSource".
    ///
    /// libvips 8.14 aborts the process when this is asked of an empty source: look at the size
    /// first.
    public func findLoader() throws(VipsError) -> String {
        guard let name = vips_foreign_find_load_source(pointer) else {
            throw VipsError.last(in: "find loader")
        }
        return String(cString: name)
    }
}

extension Image {
    /// Opens an encoded picture: the header now, the pixels when pulled.
    ///
    /// - Parameters:
    ///   - source: Where to read.
    ///   - loader: The loader, such as "jpegload_source"; nil lets libvips look at the bytes.
    ///   - options: The loader's, such as `["access": "sequential", "fail_on": "truncated"]`.
    public convenience init(
        source: ImageSource, loader: String? = nil, options: [String: OperationValue] = [:]
    ) throws {
        let operation = try ImageOperation(loader ?? source.findLoader())
        try operation.set("source", to: .source(source))
        for (name, value) in options { try operation.set(name, to: value) }
        try operation.run()
        self.init(taking: try operation.image().passRetained())
    }
}
