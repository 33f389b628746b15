// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import ImageMetadata
import RunnerProtocol
import RunnerSupport
import Vips

/// The picture below all steps of a state. It can be opened any number of times, on any thread.
final class BasePicture: Sendable {
    /// Records whether a read of its pixels failed.
    let failures = FailureWatch()
    private let source: Source
    let decodes: DecodeCounter

    private enum Source: Sendable {
        case encoded(Decoder, assumed: [UInt8]?)
        case raw(OpenFile, Bytes, UncompressedLayout, profile: [UInt8]?)
        case mapped(PixelMappings.Mapping, UncompressedLayout, profile: [UInt8]?, Streaming?)
    }

    /// The state of raw pixels that another process is still writing.
    struct Streaming: Sendable {
        /// The rows that have arrived; `nil` if all have.
        let rows: RowProgress?
        /// Whether the writer can still change them, so that each pixel must be read only once.
        let isCopied: Bool
    }

    /// - Parameters:
    ///   - base: The kind of the bytes, encoded or raw.
    ///   - file: The file with the bytes.
    ///   - originalProfile: The RGB profile of the original, for raw pixels in it.
    ///   - assumed: The profile of an encoded base without one; `nil` for sRGB.
    ///   - decodes: The counter of decodes.
    /// - Throws: `badRequest` if raw pixels do not match their layout, otherwise the failure of the decoder.
    init(
        _ base: RenderInput.Base, file: OpenFile, originalProfile: [UInt8]?,
        assumed: ColorProfile? = nil, decodes: DecodeCounter
    ) throws(RunnerFailure) {
        self.decodes = decodes
        switch base {
        case .encoded:
            let profile = try assumed.flatMap { name throws(RunnerFailure) in
                try NamedProfile.bytes(name, original: originalProfile)
            }
            source = .encoded(try Decoder(file: file), assumed: profile)
        case .raw(let layout):
            let bytes = try Self.pixels(file, layout)
            let profile = try NamedProfile.bytes(layout.profile, original: originalProfile)
            source = .raw(file, bytes, layout, profile: profile)
        }
    }

    /// Creates a picture from raw pixels in memory.
    ///
    /// - Throws: `badRequest` if the pixels do not match their layout.
    init(
        _ mapping: PixelMappings.Mapping, _ layout: UncompressedLayout, originalProfile: [UInt8]?,
        streaming: Streaming? = nil, decodes: DecodeCounter
    ) throws(RunnerFailure) {
        self.decodes = decodes
        guard Self.fits(layout, in: mapping.memory.count) else {
            throw Self.layoutMismatch(layout, mapping.memory.count)
        }
        let profile = try NamedProfile.bytes(layout.profile, original: originalProfile)
        source = .mapped(mapping, layout, profile: profile, streaming)
    }

    /// The decoder of an encoded base; `nil` for raw pixels.
    var decoder: Decoder? {
        guard case .encoded(let decoder, _) = source else { return nil }
        return decoder
    }

    /// The size of the upright picture, from the header.
    func size() throws(RunnerFailure) -> PixelSize {
        switch source {
        case .raw(_, _, let layout, _), .mapped(_, let layout, _, _):
            return PixelSize(width: layout.width, height: layout.height)
        case .encoded(let decoder, _):
            let header = try decoder.header()
            let isRotated = decoder.pendingOrientation(header) > 4
            return isRotated ? PixelSize(width: header.height, height: header.width) : header.size
        }
    }

    /// Returns the working image at full size.
    func fullSize(access: PixelAccess) throws(RunnerFailure) -> Image {
        switch source {
        case .raw(let file, let bytes, let layout, let profile):
            return access == .sequential
                ? try watched(try Self.image(file, layout, profile))
                : try Self.image(bytes.memory, keeping: bytes, layout, profile)
        case .mapped(let mapping, let layout, let profile, let streaming):
            return try image(mapping, layout, profile, streaming)
        case .encoded(let decoder, _):
            decodes.countFullSize()
            return try workingImage(try decoder.upright(access: access))
        }
    }

    /// Returns the working image of a decoded picture. Pixels that were converted to sRGB do not get the assumed
    /// profile.
    func workingImage(_ image: Image) throws(RunnerFailure) -> Image {
        let converted = try WorkingColor.convert(try watched(image))
        guard case .encoded(_, let assumed?) = source, !image.hasField(ICCProfile.field),
            !converted.hasField(ICCProfile.field),
            WorkingColor.keepsSampleValues(image)
        else { return converted }
        return try wrapping("use the profile", code: .badInput) {
            try Self.with(assumed, converted)
        }
    }

    /// Watches the image for failures. Complete pixels in memory need no watch, because they cannot fail.
    private func watched(_ image: Image) throws(RunnerFailure) -> Image {
        try wrapping("open the picture", code: .badInput) { try failures.watching(image) }
    }

    /// Returns the working image with its longer side at most `longerSide` pixels. It is lazy, with random access,
    /// and can be read more than once.
    func displaySize(longerSide: Int) throws(RunnerFailure) -> Image {
        let target = try size().fitted(into: PixelSize(width: longerSide, height: longerSide))
        let image =
            switch source {
            case .raw(_, let bytes, let layout, let profile):
                try Self.image(bytes.memory, keeping: bytes, layout, profile)
            case .mapped(let mapping, let layout, let profile, let streaming):
                try image(mapping, layout, profile, streaming)
            case .encoded(let decoder, _):
                try countingFirstRead(
                    try workingImage(try decoder.reducedUpright(longerSide: longerSide)))
            }
        return try wrapping("make the display image", code: .badInput) {
            try image.resized(to: target)
        }
    }

    /// Counts the decode at the first read of the image. Opening an image does not decode it.
    private func countingFirstRead(_ image: Image) throws(RunnerFailure) -> Image {
        let decodes = decodes
        return try wrapping("open the picture", code: .badInput) {
            try image.notifyingFirstRead { decodes.countReduced() }
        }
    }

    // MARK: - Raw pixels

    private static func pixels(
        _ file: OpenFile, _ layout: UncompressedLayout
    ) throws(RunnerFailure) -> Bytes {
        guard let length = file.length, fits(layout, in: length),
            let bytes = Bytes(mapping: file, length: layout.byteCount)
        else { throw layoutMismatch(layout, file.length ?? 0) }
        return bytes
    }

    private static func fits(_ layout: UncompressedLayout, in length: Int) -> Bool {
        let sides = 1...PictureLimits.maximumSide
        return sides.contains(layout.width) && sides.contains(layout.height)
            && length >= layout.byteCount
    }

    private static func layoutMismatch(_ layout: UncompressedLayout, _ length: Int) -> RunnerFailure
    {
        RunnerFailure(
            code: .badRequest,
            message: "\(length) bytes of raw pixels do not match "
                + "\(layout.width)x\(layout.height) "
                + layout.pixelFormat.rawValue)
    }

    private func image(
        _ mapping: PixelMappings.Mapping, _ layout: UncompressedLayout, _ profile: [UInt8]?,
        _ streaming: Streaming?
    ) throws(RunnerFailure) -> Image {
        let memory = UnsafeRawBufferPointer(rebasing: mapping.memory[..<layout.byteCount])
        let image = try Self.image(memory, keeping: mapping, layout, profile)
        guard let streaming else { return image }
        return try watched(
            try wrapping("open raw pixels", code: .badInput) {
                try image.streamed(isCopied: streaming.isCopied) { rows in
                    streaming.rows.flatMap { $0.wait(for: rows) }
                }
            })
    }

    private static func image(
        _ memory: UnsafeRawBufferPointer, keeping owner: any AnyObject & Sendable,
        _ layout: UncompressedLayout, _ profile: [UInt8]?
    ) throws(RunnerFailure) -> Image {
        try wrapping("open raw pixels", code: .badInput) {
            let format = layout.pixelFormat
            let image = try Image(
                memory: memory, width: layout.width, height: layout.height,
                bands: format.bands, format: format.bandFormat,
                interpretation: format.interpretation,
                release: { withExtendedLifetime(owner) {} })
            return try with(profile, image)
        }
    }

    /// Opens raw pixels with sequential access.
    private static func image(
        _ file: OpenFile, _ layout: UncompressedLayout, _ profile: [UInt8]?
    ) throws(RunnerFailure) -> Image {
        try wrapping("open raw pixels", code: .badInput) {
            let format = layout.pixelFormat
            let image = try Image(
                pixelsInFile: file.descriptor, width: layout.width, height: layout.height,
                bands: format.bands, format: format.bandFormat,
                interpretation: format.interpretation,
                release: { withExtendedLifetime(file) {} })
            return try with(profile, image)
        }
    }

    private static func with(_ profile: [UInt8]?, _ image: Image) throws -> Image {
        guard let profile else { return image }
        return try image.copying { $0.set(ICCProfile.field, to: profile) }
    }
}
