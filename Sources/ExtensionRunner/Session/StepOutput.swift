// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// Checks what an extension gave as its output, and makes a working image of it.
struct StepOutput {
    /// The extension.
    let library: ExtensionLibrary
    /// The original's RGB profile, which outputs may be in.
    let originalProfile: [UInt8]?

    /// The most pixels of an output: a gigapixel.
    private static let maximumPixels = 1 << 30

    /// The output as a working image in the band format of the state it was made from.
    ///
    /// - Parameters:
    ///   - image: What the extension gave.
    ///   - failures: Learns whether its pixels can be computed.
    ///   - input: The state that it was made from, before any conversion for the extension.
    ///   - profile: The profile that the extension named; nil: the input's.
    /// - Throws: `extensionFailed` with what is wrong.
    func accept(
        _ image: Image, _ failures: FailureWatch, input: Image, profile: ColorProfile?
    ) throws(RunnerFailure) -> Image {
        if let reason = Self.unusable(image) { throw failure(reason) }
        // What the extension was given decides what its floating point numbers mean.
        let given = PixelFormat(of: input).nearest(of: library.description.pixelFormats)
        let named = try profile.map { profile throws(RunnerFailure) in
            try NamedProfile.bytes(profile, original: originalProfile)
        }
        let bytes = named ?? input.blob(ICCProfile.field)
        return try wrapping(
            "use the output", code: .extensionFailed, extensionIdentifier: library.identifier
        ) {
            let color = try Self.withColorBands(try failures.watching(image))
            let isUnsigned = color.format == .uchar || color.format == .ushort
            let cast = isUnsigned ? color : try color.casting(to: given.bandFormat)
            let scaled = try cast.scaled(toBits: input.format == .ushort ? 16 : 8)
            return try scaled.copying { metadata in
                metadata.setInterpretation(scaled.format == .ushort ? .rgb16 : .srgb)
                metadata.remove(ICCProfile.field)
                if let bytes { metadata.set(ICCProfile.field, to: bytes) }
            }
        }
    }

    /// Why an image cannot be used; nil: it can.
    private static func unusable(_ image: Image) -> String? {
        let size = "\(image.width)x\(image.height)"
        guard image.width > 0, image.height > 0,
            max(image.width, image.height) <= PictureLimits.maximumSide,
            image.width * image.height <= maximumPixels
        else { return "its output of \(size) pixels is too large" }
        guard (1...4).contains(image.bands) else {
            return "its output has \(image.bands) bands; 1 to 4 are supported"
        }
        if image.format == .complex || image.format == .doubleComplex {
            return "its output has complex numbers"
        }
        switch image.interpretation {
        case .multiband, .gray, .gray16, .rgb, .srgb, .rgb16, .matrix, .histogram: return nil
        case let other: return "its output is \(other.name), not RGB"
        }
    }

    /// Gray is repeated in three bands; alpha, the second or fourth, stays.
    private static func withColorBands(_ image: Image) throws -> Image {
        guard image.bands < 3 else { return image }
        return try WorkingColor.repeatingGray(image)
    }

    private func failure(_ message: String) -> RunnerFailure {
        RunnerFailure(
            code: .extensionFailed, message: message, extensionIdentifier: library.identifier)
    }
}
