// SPDX-License-Identifier: Apache-2.0

import CEditingExtensionTesting

/// A picture in memory: RGB, or RGB and straight alpha.
public struct TestedPicture: Hashable, Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The number of bands: 3, or 4 with alpha.
    public let bands: Int
    /// The bits per sample: 8 or 16.
    public let depth: Int
    /// The samples of all pixels, in rows from top to bottom: 0...255 or 0...65535.
    public private(set) var samples: [UInt16]

    /// Creates a picture with many different colours. The same arguments always give the same pixels.
    ///
    /// - Throws: ``ExtensionTestError`` if the size, the number of bands or the depth is invalid.
    public static func gradient(
        width: Int, height: Int, bands: Int = 3, depth: Int = 8
    ) throws -> TestedPicture {
        try TestedPicture(
            taking: ee_test_gradient(
                UInt32(clamping: width), UInt32(clamping: height), UInt32(clamping: bands),
                UInt32(clamping: depth)))
    }

    /// Reads an image file. The pixels are made upright.
    ///
    /// - Throws: ``ExtensionTestError`` if the file cannot be read.
    public init(contentsOf path: String) throws { try self.init(taking: ee_test_read(path)) }

    /// Copies and frees a picture of the C test host. Throws the host's last failure if the pointer is null.
    init(taking pointer: UnsafeMutablePointer<ee_test_picture>?) throws {
        guard let pointer else { throw ExtensionTestError.last }
        defer { ee_test_picture_free(pointer) }
        let picture = pointer.pointee
        width = Int(picture.width)
        height = Int(picture.height)
        bands = Int(picture.bands)
        depth = Int(picture.depth)
        let count = width * height * bands
        samples =
            if depth == 8 {
                UnsafeRawBufferPointer(start: picture.samples, count: count).map { UInt16($0) }
            } else {
                UnsafeRawBufferPointer(start: picture.samples, count: 2 * count)
                    .bindMemory(to: UInt16.self).map { $0 }
            }
    }

    /// A sample. Band 0 is red.
    ///
    /// - Precondition: `x`, `y` and `band` are inside the picture.
    public subscript(x: Int, y: Int, band: Int) -> UInt16 {
        get { samples[(y * width + x) * bands + band] }
        set { samples[(y * width + x) * bands + band] = newValue }
    }

    /// Returns a picture of the same size with other samples.
    public func mapped(_ transform: (UInt16) -> UInt16) -> TestedPicture {
        var copy = self
        copy.samples = samples.map(transform)
        return copy
    }

    /// Throws an error if the pictures differ in size, bands or depth, or by more than `tolerance` in any sample.
    ///
    /// - Throws: ``ExtensionTestError``, whose description contains the first sample that differs.
    public func expectSame(as other: TestedPicture, tolerance: Int = 0) throws {
        let pointers = (try copied(), try other.copied())
        defer {
            ee_test_picture_free(pointers.0)
            ee_test_picture_free(pointers.1)
        }
        guard ee_test_same(pointers.0, pointers.1, UInt32(clamping: tolerance)) else {
            throw ExtensionTestError.last
        }
    }

    /// Writes the picture to a file. The filename extension selects the format.
    ///
    /// - Throws: ``ExtensionTestError`` if the file cannot be written.
    public func write(to path: String) throws {
        let pointer = try copied()
        defer { ee_test_picture_free(pointer) }
        guard ee_test_write(pointer, path) else { throw ExtensionTestError.last }
    }

    /// Returns a copy for the test host in C, to be freed with `ee_test_picture_free`.
    func copied() throws -> UnsafeMutablePointer<ee_test_picture> {
        guard
            let pointer = ee_test_picture_new(
                UInt32(clamping: width), UInt32(clamping: height), UInt32(clamping: bands),
                UInt32(clamping: depth))
        else { throw ExtensionTestError.last }
        guard let target = pointer.pointee.samples else { return pointer }
        if depth == 8 {
            let bytes = target.assumingMemoryBound(to: UInt8.self)
            for (index, sample) in samples.enumerated() { bytes[index] = UInt8(clamping: sample) }
        } else {
            target.copyMemory(
                from: samples, byteCount: samples.count * MemoryLayout<UInt16>.size)
        }
        return pointer
    }
}
