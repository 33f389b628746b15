// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import RunnerHost

/// A picture in memory: uncompressed pixels that a runner or the program rendered.
///
/// Rows run from top to bottom, and bands are interleaved: red, green, blue, and straight alpha if there is any. The
/// first pixel is at the top left of the upright picture.
///
/// Copies share the pixels, which are freed with the last copy. Images can be used from any thread.
public struct AssetImage: Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The bands and bits of a pixel. 16-bit samples are in native byte order.
    public let pixelFormat: PixelFormat
    /// The colour profile of the pixels. `original` without ``originalProfile`` is sRGB.
    public let profile: ColorProfile
    /// The bytes of the photo's own ICC profile, if ``profile`` is `original` and it has one.
    public let originalProfile: Data?

    private let pixels: Pixels

    /// The size in pixels.
    public var size: PixelSize { PixelSize(width: width, height: height) }
    /// The number of bands of a pixel: 3, or 4 with alpha.
    public var bands: Int { pixelFormat.hasAlpha ? 4 : 3 }
    /// The stride in bytes, from the start of one row to the start of the next.
    public var bytesPerRow: Int { width * bands * (pixelFormat.bitsPerSample / 8) }
    /// The size of all pixels in bytes.
    public var byteCount: Int { bytesPerRow * height }

    /// Calls `body` with the pixels, without copying them. The pointer is valid until `body` returns.
    public func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        switch pixels {
        case .mapped(let pixels):
            try withExtendedLifetime(pixels) {
                try body(UnsafeRawBufferPointer(rebasing: pixels.memory[..<byteCount]))
            }
        case .own(let data): try data.withUnsafeBytes(body)
        }
    }

    /// A copy of the pixels.
    public var data: Data { withUnsafeBytes { Data($0) } }

    /// - Throws: `HostError` with `fileFailed` if the memory cannot be mapped.
    init(_ picture: UncompressedPixels) throws {
        width = picture.layout.width
        height = picture.layout.height
        pixelFormat = picture.layout.pixelFormat
        profile = picture.layout.profile
        originalProfile =
            profile == .original
            ? try picture.profile.map { try $0.read(count: try $0.byteCount()) } : nil
        pixels = .mapped(
            try MappedPixels(picture.buffer.memory, count: picture.layout.byteCount))
    }

    /// Creates an image from pixels of the program, such as a processed frame. Nothing is copied.
    ///
    /// - Parameters:
    ///   - data: The pixels, in the layout that this type describes.
    ///   - size: The size in pixels. Each side is at least 1.
    ///   - pixelFormat: The bands and bits of a pixel.
    ///   - profile: The colour profile of the pixels.
    ///   - originalProfile: The bytes of an ICC profile, if `profile` is `original`.
    /// - Throws: `HostError` with `badRequest` if the size is out of range or does not match `data`.
    public init(
        _ data: Data, size: PixelSize, pixelFormat: PixelFormat, profile: ColorProfile = .sRGB,
        originalProfile: Data? = nil
    ) throws {
        let sides = 1...(1 << 20)
        let layout = UncompressedLayout(
            width: size.width, height: size.height, pixelFormat: pixelFormat, profile: profile)
        guard sides.contains(size.width), sides.contains(size.height),
            data.count == layout.byteCount
        else {
            throw HostError(
                .badRequest, "\(data.count) bytes do not match a picture of \(size) pixels")
        }
        self.init(data, layout, originalProfile: originalProfile)
    }

    init(_ data: Data, _ layout: UncompressedLayout, originalProfile: Data?) {
        width = layout.width
        height = layout.height
        pixelFormat = layout.pixelFormat
        profile = layout.profile
        self.originalProfile = layout.profile == .original ? originalProfile : nil
        pixels = .own(data)
    }

    /// The storage of the pixels.
    private enum Pixels: Sendable {
        case mapped(MappedPixels)
        case own(Data)
    }
}

/// The mapped memory of a picture, which is read-only for every process.
///
/// `@unchecked Sendable` is safe: the address never changes, and the memory is sealed against writing and shrinking.
private final class MappedPixels: @unchecked Sendable {
    let memory: UnsafeRawBufferPointer

    init(_ file: OpenFile, count: Int) throws {
        guard
            let address = mmap(
                nil, max(1, count), PROT_READ, MAP_SHARED | MAP_POPULATE, file.descriptor, 0),
            address != MAP_FAILED
        else { throw HostError.file("cannot be mapped", path: "the memory of a picture") }
        memory = UnsafeRawBufferPointer(start: address, count: count)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: memory.baseAddress), max(1, memory.count))
    }
}
