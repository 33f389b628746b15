// SPDX-License-Identifier: Apache-2.0

import Vips

/// An image of one pixel with the fields that libvips makes of an EXIF block.
///
/// When libvips saves, it drops every tag of the block for which the image has no field, and only
/// its own loaders make these fields. So the block is put into a JPEG file, and that is opened.
enum ExifCarrier {
    /// Opens a block of tags. A segment of JPEG has room for 64 KB: where that is too little the
    /// long values are left out, first of all makers' notes. Nil where there is no room even so.
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
