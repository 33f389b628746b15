// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

/// Adds EXIF and IPTC to a TIFF file. libvips writes no EXIF, and only a quarter of the IPTC.
package enum TIFFMetadata {
    /// Appends the tags and a first directory with the old and the new entries to the file. Then updates the header
    /// to point to this directory.
    ///
    /// - Parameters:
    ///   - tags: The EXIF to add, if any.
    ///   - block: The IPTC to add, if any.
    ///   - file: A TIFF file of one picture as libvips writes it.
    /// - Throws: `outputFailed`.
    package static func add(
        _ tags: ExifTags?, _ block: IPTCBlock?, to file: OpenFile
    ) throws(RunnerFailure) {
        try change(file) { writer in
            var new = tags?.entries(in: &writer) ?? []
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
    /// - Parameter file: As for ``add(_:_:to:)``.
    /// - Throws: `outputFailed`.
    package static func removeResolution(from file: OpenFile) throws(RunnerFailure) {
        try change(file, removing: resolution) { _ in [] }
    }

    /// XResolution, YResolution and ResolutionUnit.
    static let resolution: Set<Int> = [
        ExifTag.xResolution, ExifTag.yResolution, ExifTag.resolutionUnit,
    ]

    /// Appends a first directory without removed tags and with new ones.
    private static func change(
        _ file: OpenFile, removing removed: Set<Int> = [],
        adding entries: (inout TIFFWriter) -> [TIFFWriter.Entry]
    ) throws(RunnerFailure) {
        guard let length = file.length, let bytes = Bytes(mapping: file, length: length),
            let old = Old(bytes)
        else {
            throw RunnerFailure(
                code: .outputFailed, message: "the TIFF file that was written cannot be read")
        }
        let start = length + length % 2
        var writer = TIFFWriter(start: start, isBig: old.isBig)
        let new = entries(&writer)
        let replaced = removed.union(new.map(\.tag))
        let kept = old.entries.filter { !replaced.contains($0.tag) }
        let place = writer.directory(kept + new, next: old.next)
        let header = TIFFWriter.bytes(place, old.isBig ? 8 : 4)
        guard write(writer.bytes, to: file, at: start),
            write(header, to: file, at: old.isBig ? 8 : 4)
        else {
            throw RunnerFailure(
                code: .outputFailed, message: "the output cannot be written: no room for EXIF")
        }
    }

    private static func write(_ bytes: [UInt8], to file: OpenFile, at offset: Int) -> Bool {
        (try? bytes.withUnsafeBytes { try file.write($0, at: offset) }) != nil
    }

    /// The first directory before the change.
    private struct Old {
        let isBig: Bool
        let entries: [TIFFWriter.Entry]
        let next: Int

        init?(_ bytes: Bytes) {
            func number(_ offset: Int, _ length: Int) -> Int? {
                bytes.number(offset, length, bigEndian: false).flatMap { Int(exactly: $0) }
            }
            guard bytes.has("II", at: 0), let version = number(2, 2) else { return nil }
            isBig = version == 43
            let (countLength, entryLength, fieldLength) = isBig ? (8, 20, 8) : (2, 12, 4)
            guard let place = number(fieldLength, fieldLength),
                let count = number(place, countLength), count <= 4096
            else { return nil }
            var found: [TIFFWriter.Entry] = []
            for index in 0..<count {
                let start = place + countLength + index * entryLength
                guard let tag = number(start, 2), let raw = bytes.slice(start, entryLength) else {
                    return nil
                }
                found.append(TIFFWriter.Entry(tag: tag, bytes: raw))
            }
            entries = found
            next = number(place + countLength + count * entryLength, fieldLength) ?? 0
        }
    }
}
