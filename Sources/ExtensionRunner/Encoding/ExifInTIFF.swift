// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// libvips writes no EXIF into TIFF files.
enum ExifInTIFF {
    static func append(
        from original: MetadataSource?, to file: FileDescriptor, format: MediaFormat
    ) throws {}
}
