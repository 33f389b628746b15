// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// The image of a mark.
enum MarkImage {
    /// The greatest number of pixels.
    static let greatestArea = 16_000_000

    /// Decodes a file.
    ///
    /// - Returns: An upright RGBA image of 8 or 16 bits in memory, with straight alpha and its own profile.
    /// - Throws: `EditingExtensionError` with `badParameter`, which names the parameter.
    static func decoded(_ bytes: UnsafeRawBufferPointer) throws -> Image {
        do {
            guard !bytes.isEmpty else { throw EditingExtensionError.bad("image", "is empty") }
            let file = try Image(
                source: ImageSource(bytes: Array(bytes)), options: ["fail_on": "error"])
            guard file.width * file.height <= greatestArea else {
                throw EditingExtensionError.bad(
                    "image",
                    "must have at most \(greatestArea / 1_000_000) million pixels, not "
                        + "\(file.width) × \(file.height)")
            }
            return try rgba(file).copiedToMemory()
        } catch let error as EditingExtensionError {
            throw error
        } catch {
            // libvips reports seeks beyond the end of a file, and the host leaves out such lines.
            let lines = "\(error)".split(whereSeparator: \.isNewline)
            let reason = lines.filter { !$0.contains("bad seek to ") }.joined(separator: " ")
            throw EditingExtensionError.bad(
                "image", "cannot be read; save it as PNG or JPEG: \(reason)")
        }
    }

    /// Returns an image as RGBA. A gray image loses its profile, which is for one channel.
    private static func rgba(_ file: Image) throws -> Image {
        var image = try file.applying("autorot")
        guard image.format == .uchar || image.format == .ushort else {
            throw EditingExtensionError.bad("image", "must have 8 or 16 bits per channel")
        }
        if image.bands < 3 {
            let space = image.format == .uchar ? "srgb" : "rgb16"
            image = try image.copying { $0.remove("icc-profile-data") }
                .applying("colourspace", ["space": .string(space)])
        }
        if image.bands == 3 {
            let opaque = image.format == .uchar ? 255.0 : 65535
            image = try image.applying("bandjoin_const", ["c": .doubles([opaque])])
        }
        guard image.bands == 4, image.interpretation == .srgb || image.interpretation == .rgb16
        else {
            throw EditingExtensionError.bad(
                "image", "must be gray or red, green and blue, with or without alpha")
        }
        return image
    }
}
