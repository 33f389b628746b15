// SPDX-License-Identifier: Apache-2.0

import CVips

/// Conversion between images and pixels in memory.
extension Image {
    /// Creates an image of pixels in memory owned by the caller, such as a mapped file. Nothing is copied.
    ///
    /// - Parameters:
    ///   - memory: The pixels in row-major order without padding, of exactly the size of the image.
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - bands: The number of samples per pixel.
    ///   - format: The numeric type of the samples.
    ///   - interpretation: The meaning of the bands.
    ///   - release: Called once, on any thread, when no image needs the memory any longer. Not called if this
    ///     throws.
    public convenience init(
        memory: UnsafeRawBufferPointer, width: Int, height: Int, bands: Int, format: BandFormat,
        interpretation: Interpretation, release: @escaping @Sendable () -> Void
    ) throws {
        try self.init(
            borrowing: memory, width: width, height: height, bands: bands, format: format,
            interpretation: interpretation)
        attach(Cleanup(release))
    }

    /// Creates an image from pixels, which are copied.
    ///
    /// - Parameters:
    ///   - bytes: The pixels in row-major order without padding, 16-bit samples in native byte order.
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - bands: The number of samples per pixel.
    ///   - format: The numeric type of the samples.
    ///   - interpretation: The meaning of the bands.
    /// - Throws: `VipsError` if the number of bytes does not match the size of the image.
    public convenience init(
        bytes: [UInt8], width: Int, height: Int, bands: Int, format: BandFormat,
        interpretation: Interpretation
    ) throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
        do {
            try self.init(
                borrowing: UnsafeRawBufferPointer(memory), width: width, height: height,
                bands: bands, format: format, interpretation: interpretation)
        } catch {
            memory.deallocate()
            throw error
        }
        let address = UInt(bitPattern: memory.baseAddress)
        attach(Cleanup { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() })
    }

    /// Computes all pixels into memory provided by the caller, in row-major order without padding.
    ///
    /// - Parameter memory: At least `byteCount` bytes.
    /// - Throws: `VipsError` if the memory is too small or the pixels cannot be computed.
    public func writePixels(into memory: UnsafeMutableRawBufferPointer) throws {
        let rows = UnsafeRawBufferPointer(rebasing: memory.prefix(byteCount))
        let copy = try Image(
            borrowing: rows, width: width, height: height, bands: bands, format: format,
            interpretation: interpretation)
        guard vips_image_write(pointer, copy.pointer) == 0 else {
            throw VipsError.last(in: "write to memory")
        }
    }

    /// Returns all pixels in row-major order without padding, with samples in native byte order.
    ///
    /// - Throws: `VipsError` if the pixels cannot be computed.
    public func pixels() throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            try writePixels(into: UnsafeMutableRawBufferPointer(buffer))
            count = byteCount
        }
    }

    /// Returns all samples of an unsigned 8-bit or 16-bit image as 16-bit integers. They are not scaled.
    ///
    /// - Throws: `VipsError` with `unsupportedFormat` for other formats, or if the pixels cannot be computed.
    public func samples() throws -> [UInt16] {
        switch format {
        case .uchar: return try pixels().map(UInt16.init)
        case .ushort:
            return try pixels().withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        default:
            throw VipsError(
                code: .unsupportedFormat, operation: "samples",
                message: "takes 8 or 16 bit unsigned, not \(format.name)")
        }
    }

    /// Computes all pixels and returns a copy of the image that holds them in memory.
    ///
    /// - Throws: `VipsError` if the pixels cannot be computed.
    public func copiedToMemory() throws -> Image {
        guard let copy = vips_image_copy_memory(pointer) else {
            throw VipsError.last(in: "copy to memory")
        }
        return Image(taking: copy)
    }

    convenience init(
        borrowing memory: UnsafeRawBufferPointer, width: Int, height: Int, bands: Int,
        format: BandFormat, interpretation: Interpretation
    ) throws {
        let needed = [width, height, bands].reduce(format.size) { product, factor in
            let (value, overflow) = product.multipliedReportingOverflow(by: factor)
            return overflow || factor < 1 || factor > Int(Int32.max) ? -1 : value
        }
        guard needed > 0, needed == memory.count else {
            throw VipsError(
                code: .invalidValue, operation: "image from memory",
                message: "\(width)x\(height) of \(bands) bands \(format.name) does not fit "
                    + "\(memory.count) bytes")
        }
        guard
            let image = vips_image_new_from_memory(
                memory.baseAddress, memory.count, Int32(width), Int32(height), Int32(bands),
                VipsBandFormat(rawValue: format.rawValue))
        else { throw VipsError.last(in: "image from memory") }
        // The image has not been shared yet, so it may be changed.
        image.pointee.Type = VipsInterpretation(rawValue: interpretation.rawValue)
        self.init(taking: image)
    }
}

extension Image {
    /// Keeps an object alive as long as the libvips image, which may outlive this `Image`.
    func attach(_ companion: AnyObject) {
        g_object_set_data_full(
            UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self),
            "edithost-companion", Unmanaged.passRetained(companion).toOpaque(), releaseCompanion)
    }
}

/// Called by GObject on any thread when the image is finalised.
private nonisolated func releaseCompanion(_ companion: UnsafeMutableRawPointer?) {
    guard let companion else { return }
    Unmanaged<AnyObject>.fromOpaque(companion).release()
}

/// Runs a closure when it is deallocated.
private final class Cleanup: Sendable {
    private let action: @Sendable () -> Void
    init(_ action: @escaping @Sendable () -> Void) { self.action = action }
    deinit { action() }
}
