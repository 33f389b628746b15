// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// Decodes the image file of a mark.
enum MarkImage {
    /// The maximum number of pixels of an image.
    static let greatestArea = 16_000_000

    /// Decodes a file.
    ///
    /// - Returns: An upright RGBA image of 8 or 16 bits in memory, with straight alpha and the profile of the file.
    /// - Throws: `EditingExtensionError` with `badParameter`, whose message names the parameter.
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
            // libvips reports seeks beyond the end of a file. The host omits such lines from messages, too.
            let lines = "\(error)".split(whereSeparator: \.isNewline)
            let reason = lines.filter { !$0.contains("bad seek to ") }.joined(separator: " ")
            throw EditingExtensionError.bad(
                "image", "cannot be read; save it as PNG or JPEG: \(reason)")
        }
    }

    /// Returns an image as RGBA. The profile of a gray image is removed, because it describes a single channel.
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
