// SPDX-License-Identifier: Apache-2.0

import ImageMetadata
import Vips

/// Creates images of one pixel with the fields that libvips derives from an EXIF block.
///
/// On saving, libvips drops all tags of the block for which the image has no field, and only its loaders create these
/// fields. Therefore the block is written into a JPEG file, which is loaded again.
enum ExifTemplateImage {
    /// Creates an image with the tags. A JPEG segment holds 64 KB. If that is too small, long values are dropped,
    /// maker notes first. `nil` if the tags still do not fit.
    static func image(_ tags: ExifTags) throws -> Image? {
        for limit in [maximumBytes, 4096, 256] {
            let segment = mark + tags.withoutValues(longerThan: limit).block
            if segment.count <= maximumBytes { return try image(of: segment) }
        }
        return nil
    }

    private static let mark = Array("Exif\0\0".utf8)
    private static let maximumBytes = 0xFFFF - 2

    private static func image(of segment: [UInt8]) throws -> Image {
        let pixel = try Image(
            bytes: [0, 0, 0], width: 1, height: 1, bands: 3, format: .uchar,
            interpretation: .srgb)
        let file = try pixel.encoded(saver: "jpegsave_buffer", options: ["strip": true])
        let length = segment.count + 2
        let marker: [UInt8] = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]
        let tagged = file.prefix(2) + marker + segment + file.dropFirst(2)
        return try Image(
            source: try ImageSource(bytes: Array(tagged)), loader: "jpegload_source")
    }
}
