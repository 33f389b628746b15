// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

/// Adds EXIF and IPTC to a TIFF file. libvips writes no EXIF, and only a quarter of the IPTC.
package enum TIFFMetadata {
    /// Appends the tags and a new first directory, which contains the old and the new entries, to the file. Then
    /// updates the header to point to this directory.
    ///
    /// - Parameters:
    ///   - tags: The EXIF to add, if any.
    ///   - block: The IPTC to add, if any.
    ///   - original: The TIFF file whose resolution is kept, if any. libvips stores the resolution as floating-point
    ///     numbers, and writes values that differ from those that it read.
    ///   - file: A TIFF file of one picture as libvips writes it.
    /// - Throws: `outputFailed`.
    package static func add(
        _ tags: DescriptiveExifTags?, _ block: IPTCBlock?, resolutionOf original: TIFFReader?,
        to file: OpenFile
    ) throws(RunnerFailure) {
        let resolution = original.flatMap(validResolution) ?? []
        guard tags != nil || block != nil || !resolution.isEmpty else { return }
        try change(file) { writer in
            var new = tags?.entries(in: &writer) ?? []
            new += resolution.map { writer.entry($0) }
            if let records = block?.records {
                new.append(
                    writer.entry(
                        TIFFTag(tag: ExifTag.iptc, type: 7, count: records.count, value: records)))
            }
            return new
        }
    }

    /// Removes the resolution.
    ///
    /// - Parameter file: A TIFF file of one picture as libvips writes it.
    /// - Throws: `outputFailed`.
    package static func removeResolution(from file: OpenFile) throws(RunnerFailure) {
        try change(file, removing: resolution) { _ in [] }
    }

    /// Returns the tags of the resolution; `nil` if they are incomplete or invalid.
    private static func validResolution(_ reader: TIFFReader) -> [TIFFTag]? {
        guard let first = reader.first else { return nil }
        let tags = reader.tags(in: first).filter { resolution.contains($0.tag) }
        let areValid = tags.allSatisfy { tag in
            // The unit must be inches or centimetres.
            if tag.tag == ExifTag.resolutionUnit {
                return tag.type == 3 && [[2, 0], [3, 0]].contains(tag.value)
            }
            return tag.type == 5 && tag.value.count == 8
                && !tag.value[..<4].allSatisfy { $0 == 0 }
                && !tag.value[4...].allSatisfy { $0 == 0 }
        }
        return areValid && tags.count == resolution.count ? tags : nil
    }

    /// The tags XResolution, YResolution and ResolutionUnit.
    static let resolution: Set<Int> = [
        ExifTag.xResolution, ExifTag.yResolution, ExifTag.resolutionUnit,
    ]

    /// Appends a new first directory, in which tags are removed and added.
    private static func change(
        _ file: OpenFile, removing removed: Set<Int> = [],
        adding entries: (inout TIFFWriter) -> [TIFFWriter.Entry]
    ) throws(RunnerFailure) {
        guard let length = file.length, let bytes = Bytes(mapping: file, length: length),
            let old = TIFFReader(bytes), let directory = old.firstPositions
        else {
            throw RunnerFailure(
                code: .outputFailed, message: "the TIFF file that was written cannot be read")
        }
        let start = length + length % 2
        var writer = TIFFWriter(
            start: start, isBig: old.isBigTIFF, isBigEndian: old.isBigEndian)
        let new = entries(&writer)
        let replaced = removed.union(new.map(\.tag))
        let unchanged = directory.entries.filter { !replaced.contains($0.tag) }.compactMap {
            entry in
            bytes.slice(entry.range.lowerBound, entry.range.count)
                .map { TIFFWriter.Entry(tag: entry.tag, bytes: $0) }
        }
        let position = writer.directory(unchanged + new, next: old.next(directory))
        guard write(writer.bytes, to: file, at: start),
            write(writer.number(position, old.fieldLength), to: file, at: old.fieldLength)
        else {
            throw RunnerFailure(
                code: .outputFailed, message: "the output cannot be written: no room for EXIF")
        }
    }

    private static func write(_ bytes: [UInt8], to file: OpenFile, at offset: Int) -> Bool {
        (try? bytes.withUnsafeBytes { try file.write($0, at: offset) }) != nil
    }
}
