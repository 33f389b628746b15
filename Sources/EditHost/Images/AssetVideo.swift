// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Library
import RunnerProtocol

/// A version of a video, as a file open for reading. It corresponds to `AVAsset` in AVFoundation.
///
/// Copies share the file, which is closed with the last copy. Videos can be used from any thread.
public struct AssetVideo: Sendable {
    /// The container format, detected from the content.
    public let format: MediaFormat
    /// The size of the file in bytes.
    public let byteCount: Int
    /// The size in pixels of an upright frame.
    public let size: PixelSize
    /// The duration in seconds.
    public let duration: Double

    let file: OpenFile

    init(_ file: OpenFile, _ format: MediaFormat, _ size: PixelSize, duration: Double) throws {
        self.file = file
        self.format = format
        self.size = size
        self.duration = duration
        byteCount = try file.byteCount()
    }

    /// Creates the video of a Live Photo as it was imported.
    init(_ original: AssetResource, _ file: OpenFile) throws {
        let facts = original.facts
        try self.init(
            file, original.format,
            PixelSize(width: facts?.pixelWidth ?? 0, height: facts?.pixelHeight ?? 0),
            duration: facts?.video?.duration ?? 0)
    }

    /// Creates the edited video of a Live Photo.
    init(_ stored: Rendition, _ file: OpenFile, of original: AssetResource) throws {
        try self.init(
            file, stored.format,
            PixelSize(width: stored.pixelWidth, height: stored.pixelHeight),
            duration: stored.duration ?? original.facts?.video?.duration ?? 0)
    }

    /// Calls `body` with the file's descriptor, which stays open at least as long as this value. All readers share
    /// its offset: use `pread`, or ``fileHandle()``.
    public func withDescriptor<Result>(_ body: (CInt) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(file) { try body(file.descriptor) }
    }

    /// Opens the file again for reading, with its own offset.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    public func fileHandle() throws -> FileHandle {
        let descriptor = Glibc.open("/proc/self/fd/\(file.descriptor)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HostError.file("cannot be opened", path: file.path) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Decodes the frame that is shown at a time, as upright 8-bit sRGB pixels.
    ///
    /// - Parameters:
    ///   - time: The time in seconds, as players count. Times before the first frame or after the last one are
    ///     clamped.
    ///   - targetSize: The box to fit the frame into, in pixels; zero for its own size. Frames are never enlarged.
    ///   - host: The host that runs the decoder; `nil` for the shared one.
    /// - Throws: `HostError`, with `badRequest` if `time` is not finite.
    public func image(
        at time: Double, targetSize: PixelSize = PixelSize(width: 0, height: 0),
        host: ExtensionHost? = nil
    ) async throws -> AssetImage {
        guard time.isFinite else {
            throw HostError(.badRequest, "a time must be a finite number of seconds")
        }
        var output = UncompressedPixelsOutput()
        if targetSize.width > 0, targetSize.height > 0 {
            let target = ImageGeometry.size(of: size, in: targetSize, fills: false)
            output.longerSide = max(target.width, target.height)
        }
        var input = RenderInput(base: .encoded(format))
        input.time = max(0, time)
        let (wanted, encoder, source) = (input, output, file)
        return try await (host ?? .shared).pool.forVideos().withRunner { runner in
            let result = try await encoder.take(
                from: runner, { .run(RenderJob(input: wanted, output: $0)) }, [(.base, source)])
            guard case .picture(let pixels) = result else {
                throw HostError(.runnerFailed, "the media runner returned no picture")
            }
            return try AssetImage(pixels)
        }
    }
}
