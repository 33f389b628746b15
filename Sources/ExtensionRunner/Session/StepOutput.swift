// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// Validates the output of an extension and converts it to a working image.
struct StepOutput {
    /// The extension that produced the output.
    let library: ExtensionLibrary
    /// The RGB profile of the original, which outputs may use.
    let originalProfile: [UInt8]?

    /// The maximum number of pixels of an output: one gigapixel.
    private static let maximumPixels = 1 << 30

    /// Returns the output as a working image in the band format of the state below.
    ///
    /// - Parameters:
    ///   - image: The output of the extension.
    ///   - failures: Records the failures of its pixels.
    ///   - input: The state below, before any conversion for the extension.
    ///   - profile: The profile that the extension named; `nil` for the profile of the input.
    /// - Throws: `extensionFailed` if the output is unusable.
    func accept(
        _ image: Image, _ failures: FailureWatch, input: Image, profile: ColorProfile?
    ) throws(RunnerFailure) -> Image {
        if let reason = Self.unusable(image) { throw failure(reason) }
        // The range of floating-point values depends on the layout that the extension received.
        let layout = PixelFormat(of: input).nearest(of: library.description.pixelFormats)
        let named = try profile.map { profile throws(RunnerFailure) in
            try NamedProfile.bytes(profile, original: originalProfile)
        }
        let bytes = named ?? input.blob(ICCProfile.field)
        return try wrapping(
            "use the output", code: .extensionFailed, extensionIdentifier: library.identifier
        ) {
            let color = try Self.withColorBands(try failures.watching(image))
            let isUnsigned = color.format == .uchar || color.format == .ushort
            let cast = isUnsigned ? color : try color.casting(to: layout.bandFormat)
            let scaled = try cast.scaled(toBits: input.format == .ushort ? 16 : 8)
            return try scaled.copying { metadata in
                metadata.setInterpretation(scaled.format == .ushort ? .rgb16 : .srgb)
                metadata.remove(ICCProfile.field)
                if let bytes { metadata.set(ICCProfile.field, to: bytes) }
            }
        }
    }

    /// Returns the reason why an image is unusable; `nil` if it is valid.
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

    /// Gray is repeated in three bands. Alpha, the second or fourth band, is kept.
    private static func withColorBands(_ image: Image) throws -> Image {
        guard image.bands < 3 else { return image }
        return try WorkingColor.repeatingGray(image)
    }

    private func failure(_ message: String) -> RunnerFailure {
        RunnerFailure(
            code: .extensionFailed, message: message, extensionIdentifier: library.identifier)
    }
}
