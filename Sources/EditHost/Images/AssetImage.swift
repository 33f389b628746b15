// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc

/// A picture in memory: uncompressed pixels that a runner drew, or a program. Rows from top to bottom, bands interleaved
/// (red, green, blue, and alpha where there is one, straight), the first pixel at the top left, upright.
///
/// Copies share the pixels, which go with the last of them. It can be used from any thread.
public struct AssetImage: Sendable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Bands and bits of a pixel; 16-bit numbers are in native byte order.
    public let pixelFormat: PixelFormat
    /// The colour profile of the pixels. `original` without ``originalProfile`` is sRGB.
    public let profile: ColorProfile
    /// The bytes of the photograph's own ICC profile, where ``profile`` is `original` and it has one.
    public let originalProfile: Data?

    private let pixels: Pixels

    /// The size in pixels.
    public var size: PixelSize { PixelSize(width: width, height: height) }
    /// 3, or 4 with alpha.
    public var bands: Int { pixelFormat.hasAlpha ? 4 : 3 }
    /// The stride: bytes from the beginning of a row to that of the next.
    public var bytesPerRow: Int { width * bands * (pixelFormat.bitsPerSample / 8) }
    /// Bytes of all the pixels.
    public var byteCount: Int { bytesPerRow * height }

    /// Calls `body` with the pixels where they lie: nothing is copied. They are valid until `body`
    /// returns.
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

    /// - Throws: `HostError` with `fileFailed` where the memory cannot be mapped.
    init(_ picture: RawOutput.Picture) throws {
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

    /// A picture that a program made, such as a frame that it has changed. Nothing is copied.
    ///
    /// - Parameters:
    ///   - data: the pixels, as this type describes them.
    ///   - size: in pixels, each side at least 1.
    ///   - pixelFormat: bands and bits of a pixel.
    ///   - profile: the colour profile of the pixels.
    ///   - originalProfile: the bytes of an ICC profile, where `profile` is `original`.
    /// - Throws: `HostError` with `badRequest` where the data are not as many as the size needs.
    public init(
        _ data: Data, size: PixelSize, pixelFormat: PixelFormat, profile: ColorProfile = .sRGB,
        originalProfile: Data? = nil
    ) throws {
        let sides = 1...(1 << 20)
        let layout = RawLayout(
            width: size.width, height: size.height, pixelFormat: pixelFormat, profile: profile)
        guard sides.contains(size.width), sides.contains(size.height),
            data.count == layout.byteCount
        else {
            throw HostError(
                .badRequest, "\(data.count) bytes do not match a picture of \(size) pixels")
        }
        self.init(data, layout, originalProfile: originalProfile)
    }

    init(_ data: Data, _ layout: RawLayout, originalProfile: Data?) {
        width = layout.width
        height = layout.height
        pixelFormat = layout.pixelFormat
        profile = layout.profile
        self.originalProfile = layout.profile == .original ? originalProfile : nil
        pixels = .own(data)
    }

    /// Where they are.
    private enum Pixels: Sendable {
        case mapped(MappedPixels)
        case own(Data)
    }
}

/// The memory of a picture, which nobody can write to any more, mapped.
///
/// `@unchecked Sendable` is safe: the address never changes, and the memory is sealed against writing and
/// against becoming smaller.
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

/// A picture as a file: the bytes of a JPEG, PNG or WebP picture, or of the format that a version is stored
/// in.
public struct EncodedImage: Sendable {
    /// The file's bytes.
    public let data: Data
    /// Its format, by content.
    public let format: MediaFormat
    /// The size in pixels, held upright.
    public let size: PixelSize
}
