// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol
import RunnerSupport
import Vips

/// The picture that a state is made from. It can be opened any number of times, by any thread.
final class BasePicture: Sendable {
    /// Whether its pixels could be read whenever somebody wanted them.
    let failures = FailureWatch()
    private let source: Source
    let decodes: DecodeCounter

    private enum Source: Sendable {
        case encoded(Decoder, assumed: [UInt8]?)
        case raw(OpenFile, Bytes, RawLayout, profile: [UInt8]?)
        case mapped(PixelMappings.Mapping, RawLayout, profile: [UInt8]?, Arrival?)
    }

    /// How raw pixels come that are still being written.
    struct Arrival: Sendable {
        /// How many there are; nil: all.
        let rows: ArrivingRows?
        /// Whether they can still be changed once they have come, so that each is read once.
        let isCopied: Bool
    }

    /// - Parameters:
    ///   - base: What the bytes are.
    ///   - file: The bytes.
    ///   - originalProfile: The original's RGB profile, for raw pixels that are in it.
    ///   - assumed: The profile of an encoded base that has none; nil: sRGB.
    ///   - decodes: Counts the decodes.
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

    /// Raw pixels that lie in memory already.
    init(
        _ mapping: PixelMappings.Mapping, _ layout: RawLayout, originalProfile: [UInt8]?,
        arrival: Arrival? = nil, decodes: DecodeCounter
    ) throws(RunnerFailure) {
        self.decodes = decodes
        guard Self.isPossible(layout, in: mapping.memory.count) else {
            throw Self.unfitting(layout, mapping.memory.count)
        }
        let profile = try NamedProfile.bytes(layout.profile, original: originalProfile)
        source = .mapped(mapping, layout, profile: profile, arrival)
    }

    /// The decoder of an encoded base; nil for raw pixels.
    var decoder: Decoder? {
        guard case .encoded(let decoder, _) = source else { return nil }
        return decoder
    }

    /// The size of the picture held upright, from the header.
    func size() throws(RunnerFailure) -> PixelSize {
        switch source {
        case .raw(_, _, let layout, _), .mapped(_, let layout, _, _):
            return PixelSize(width: layout.width, height: layout.height)
        case .encoded(let decoder, _):
            let header = try decoder.header()
            let isTurned = decoder.pendingOrientation(header) > 4
            return isTurned ? PixelSize(width: header.height, height: header.width) : header.size
        }
    }

    /// The working image at full size.
    func fullSize(access: PixelAccess) throws(RunnerFailure) -> Image {
        switch source {
        case .raw(let file, let bytes, let layout, let profile):
            return access == .sequential
                ? try watched(try Self.image(file, layout, profile))
                : try Self.image(bytes.memory, keeping: bytes, layout, profile)
        case .mapped(let mapping, let layout, let profile, let arrival):
            return try image(mapping, layout, profile, arrival)
        case .encoded(let decoder, _):
            decodes.countFullSize()
            return try working(try decoder.upright(access: access))
        }
    }

    /// The working image of a decoded picture. What has been converted to sRGB stays in that.
    func working(_ image: Image) throws(RunnerFailure) -> Image {
        let converted = try WorkingColor.convert(try watched(image))
        guard case .encoded(_, let assumed?) = source, !image.hasField(ICCProfile.field),
            !converted.hasField(ICCProfile.field),
            WorkingColor.keepsNumbers(image)
        else { return converted }
        return try wrapping("use the profile", code: .badInput) {
            try Self.with(assumed, converted)
        }
    }

    /// Pixels that lie in memory cannot fail.
    private func watched(_ image: Image) throws(RunnerFailure) -> Image {
        try wrapping("open the picture", code: .badInput) { try failures.watching(image) }
    }

    /// The working image, its longer side at most this many pixels. Lazy; it can be read in any
    /// order and more than once.
    func displaySize(longerSide: Int) throws(RunnerFailure) -> Image {
        let target = try size().fitted(into: PixelSize(width: longerSide, height: longerSide))
        let image =
            switch source {
            case .raw(_, let bytes, let layout, let profile):
                try Self.image(bytes.memory, keeping: bytes, layout, profile)
            case .mapped(let mapping, let layout, let profile, let arrival):
                try image(mapping, layout, profile, arrival)
            case .encoded(let decoder, _):
                try counted(
                    try working(try decoder.reducedUpright(longerSide: longerSide)))
            }
        return try wrapping("make the display image", code: .badInput) {
            try image.resized(to: target)
        }
    }

    /// Described is not decoded: a display image counts when somebody reads it.
    private func counted(_ image: Image) throws(RunnerFailure) -> Image {
        let decodes = decodes
        return try wrapping("open the picture", code: .badInput) {
            try image.noticingFirstRead { decodes.countReduced() }
        }
    }

    // MARK: - Raw pixels

    private static func pixels(
        _ file: OpenFile, _ layout: RawLayout
    ) throws(RunnerFailure) -> Bytes {
        guard let length = file.length, isPossible(layout, in: length),
            let bytes = Bytes(mapping: file, length: layout.byteCount)
        else { throw unfitting(layout, file.length ?? 0) }
        return bytes
    }

    private static func isPossible(_ layout: RawLayout, in length: Int) -> Bool {
        let sides = 1...PictureLimits.maximumSide
        return sides.contains(layout.width) && sides.contains(layout.height)
            && length >= layout.byteCount
    }

    private static func unfitting(_ layout: RawLayout, _ length: Int) -> RunnerFailure {
        RunnerFailure(
            code: .badRequest,
            message: "\(length) bytes of raw pixels do not match "
                + "\(layout.width)x\(layout.height) "
                + layout.pixelFormat.rawValue)
    }

    private func image(
        _ mapping: PixelMappings.Mapping, _ layout: RawLayout, _ profile: [UInt8]?,
        _ arrival: Arrival?
    ) throws(RunnerFailure) -> Image {
        let memory = UnsafeRawBufferPointer(rebasing: mapping.memory[..<layout.byteCount])
        let image = try Self.image(memory, keeping: mapping, layout, profile)
        guard let arrival else { return image }
        return try watched(
            try wrapping("open raw pixels", code: .badInput) {
                try image.arriving(isCopied: arrival.isCopied) { rows in
                    arrival.rows.flatMap { $0.wait(for: rows) }
                }
            })
    }

    private static func image(
        _ memory: UnsafeRawBufferPointer, keeping owner: any AnyObject & Sendable,
        _ layout: RawLayout, _ profile: [UInt8]?
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

    /// For one pass from top to bottom.
    private static func image(
        _ file: OpenFile, _ layout: RawLayout, _ profile: [UInt8]?
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
