// SPDX-License-Identifier: Apache-2.0

import CVips
import Glibc

extension Image {
    /// Computes all pixels and writes them to a file descriptor strip by strip, in row-major order without padding. The
    /// whole image is never in memory.
    ///
    /// The descriptor may be a pipe, a socket or a file. Writing starts at its current position.
    ///
    /// - Throws: `VipsError` with `inputOutput` if writing fails, or with `operationFailed` if the pixels cannot be
    ///   computed.
    public func writePixels(toFileDescriptor descriptor: Int32) throws {
        let stream = PixelStream(descriptor: descriptor)
        if byteCount <= Self.smallSize { return try writeHere(to: stream) }
        let status = withExtendedLifetime(stream) {
            vips_sink_disc(pointer, writeStrip, Unmanaged.passUnretained(stream).toOpaque())
        }
        // libvips 8.14 does not report a failure to write the last strip.
        guard status == 0, !stream.failed else {
            throw VipsError.last(
                in: "write pixels", code: stream.failed ? .inputOutput : .operationFailed)
        }
    }
}

extension Image {
    /// The size in bytes up to which an image is computed on the caller's thread. For small images, passing strips
    /// between threads takes longer than computing them.
    private static let smallSize = 1 << 20
    /// The height in rows of the strips that the caller's thread computes: two strips of a sequential loader.
    private static let smallStrip = 16

    private func writeHere(to stream: PixelStream) throws {
        guard let region = vips_region_new(pointer) else {
            throw VipsError.last(in: "write pixels")
        }
        defer { g_object_unref(region) }
        for top in stride(from: 0, to: height, by: Self.smallStrip) {
            var strip = VipsRect(
                left: 0, top: Int32(top), width: Int32(width),
                height: Int32(min(Self.smallStrip, height - top)))
            guard vips_region_prepare(region, &strip) == 0 else {
                throw VipsError.last(in: "write pixels")
            }
            guard stream.write(region, strip) else {
                throw VipsError.last(in: "write pixels", code: .inputOutput)
            }
        }
    }
}

/// The writer of the strips. libvips calls it for one strip at a time, and has finished when `vips_sink_disc`
/// returns.
private final class PixelStream {
    private let descriptor: Int32
    private(set) var failed = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes the rows of a strip that spans the whole width.
    func write(_ region: UnsafeMutablePointer<VipsRegion>, _ area: VipsRect) -> Bool {
        let rowBytes = Int(area.width) * region.pointee.im.pointee.bytesPerPixel
        // Rows that are also contiguous in memory are written with one call.
        let isPacked = rowBytes == Int(region.pointee.bpl)
        let count = isPacked ? rowBytes * Int(area.height) : rowBytes
        for row in 0..<(isPacked ? 1 : Int(area.height)) {
            let start = region.address(left: area.left, top: area.top + Int32(row))
            guard write(UnsafeRawBufferPointer(start: start, count: count)) else {
                failed = true
                VipsError.append(String(cString: strerror(errno)), in: "write pixels")
                return false
            }
        }
        return true
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let written = Glibc.write(descriptor, part.baseAddress, part.count)
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}

/// Called by libvips on its writer thread.
private nonisolated func writeStrip(
    _ region: UnsafeMutablePointer<VipsRegion>?, _ area: UnsafeMutablePointer<VipsRect>?,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let region, let area, let context else { return -1 }
    let stream = Unmanaged<PixelStream>.fromOpaque(context).takeUnretainedValue()
    return stream.write(region, area.pointee) ? 0 : -1
}
