// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The parts of an image file that determine its pixels. Programs that only change metadata leave their bytes unchanged.
package struct ImageDataRanges {
    /// The ranges in the order in which the image data is decoded. Adjacent parts of the file are one range.
    package private(set) var ranges: [Range<Int>] = []

    /// More ranges than image files have.
    private static let maximumCount = 4096

    /// Finds the image data of a file.
    ///
    /// - Returns: `nil` if the file is malformed, or for formats other than JPEG, PNG, WebP, HEIC, AVIF and TIFF.
    package init?(_ bytes: Bytes, _ format: MediaFormat) {
        let parts: [Range<Int>]?
        switch format {
        case .jpeg: parts = Self.jpeg(bytes)
        case .png: parts = Self.png(bytes)
        case .webp: parts = Self.webP(bytes)
        case .heic, .avif: parts = HEIFItems(bytes)?.imageData
        case .tiff: parts = Self.tiff(bytes)
        default: parts = nil
        }
        for part in parts ?? [] where !part.isEmpty {
            if let last = ranges.last, last.upperBound == part.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<part.upperBound
            } else {
                ranges.append(part)
            }
        }
        // Ranges that overlap could take hours to hash.
        guard !ranges.isEmpty, ranges.count <= Self.maximumCount,
            ranges.allSatisfy({ $0.lowerBound >= 0 && $0.upperBound <= bytes.count }),
            ranges.reduce(0, { $0 + $1.count }) <= bytes.count
        else { return nil }
    }

    /// The coding parameters, the colour profile and the scans of the first picture.
    private static func jpeg(_ bytes: Bytes) -> [Range<Int>]? {
        guard let header = JPEGHeader(bytes) else { return nil }
        let parameters = header.segments.filter { segment in
            switch segment.marker {
            // Without JFIF, the colour model may be RGB.
            case 0xE0: bytes.has("JFIF\0", at: segment.contents.lowerBound)
            case 0xE2: bytes.has("ICC_PROFILE\0", at: segment.contents.lowerBound)
            case 0xEE: bytes.has("Adobe", at: segment.contents.lowerBound)
            case 0xE0...0xEF, 0xFE: false
            default: true
            }
        }
        return parameters.map(\.range) + [header.scan..<max(header.scan, header.end(bytes))]
    }

    /// All chunks except those of metadata.
    private static func png(_ bytes: Bytes) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var position = 8
        while let chunk = PNGChunk(at: position, in: bytes), chunk.type != "IEND" {
            if !["eXIf", "iTXt", "pHYs", "tEXt", "tIME", "zTXt"].contains(chunk.type) {
                parts.append(chunk.range)
            }
            position = chunk.range.upperBound
        }
        return parts
    }

    /// All chunks except those of metadata and the header `VP8X`, which states whether there are any.
    private static func webP(_ bytes: Bytes) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var position = 12
        while let type = bytes.slice(position, 4),
            let length = bytes.number(position + 4, 4, bigEndian: false).map(Int.init),
            length <= bytes.count - position - 8
        {
            let range = position..<min(bytes.count, position + 8 + (length + 1) / 2 * 2)
            if !["EXIF", "VP8X", "XMP "].contains(String(decoding: type, as: UTF8.self)) {
                parts.append(range)
            }
            position = range.upperBound
        }
        return parts
    }

    /// The first directory's values, except metadata and offsets, and its strips or tiles.
    private static func tiff(_ bytes: Bytes) -> [Range<Int>]? {
        guard let reader = TIFFReader(bytes), let first = reader.first else { return nil }
        let parameters = first.entries.keys.sorted().filter { tag in
            // All tags that describe pixels are below this number, except the profile.
            tag < 0x0300 && !tiffMetadata.contains(tag) || tag == ExifTag.colorProfile
        }.compactMap { reader.range($0, in: first) }
        let tags = [
            (ExifTag.stripOffsets, ExifTag.stripByteCounts),
            (ExifTag.tileOffsets, ExifTag.tileByteCounts),
        ]
        for (offsets, counts) in tags {
            guard let offsets = reader.integers(offsets, in: first),
                let counts = reader.integers(counts, in: first), offsets.count == counts.count
            else { continue }
            return parameters
                + zip(offsets, counts).compactMap { offset, count in
                    let (end, overflow) = offset.addingReportingOverflow(count)
                    return overflow || offset < 0 || count < 0 ? nil : offset..<end
                }
        }
        return nil
    }

    /// The tags below 0x0300 that programs change without changing pixels, and those whose values are offsets. The
    /// orientation is compared separately.
    private static let tiffMetadata: Set<Int> = [
        ExifTag.processingSoftware, ExifTag.documentName, ExifTag.imageDescription, ExifTag.make,
        ExifTag.model, ExifTag.stripOffsets, ExifTag.orientation, ExifTag.xResolution,
        ExifTag.yResolution, ExifTag.pageName, ExifTag.resolutionUnit, ExifTag.software,
        ExifTag.dateTime, ExifTag.artist, ExifTag.hostComputer, ExifTag.tileOffsets,
        ExifTag.subdirectories, ExifTag.xmp,
    ]
}
