// SPDX-License-Identifier: Apache-2.0

/// An EXIF block that is edited in place. All other data keeps its bytes and offsets, on which maker notes depend. See
/// docs/design/decisions/0021-exif-in-place.md.
package struct ExifBlock {
    /// The bytes, starting with the TIFF header.
    package var bytes: [UInt8]
    /// Whether the numbers are big-endian.
    let isBigEndian: Bool

    typealias Entry = TIFFDirectory.Entry
    typealias Directory = TIFFDirectory

    /// - Parameter block: The block with or without the prefix used in JPEG.
    /// - Returns: The block, or `nil` if it is malformed and must be rebuilt.
    package init?(_ block: [UInt8]) {
        bytes = Array(block.starts(with: Self.mark) ? block.dropFirst(Self.mark.count) : block[...])
        switch String(decoding: bytes.prefix(4), as: UTF8.self) {
        case "II*\0": isBigEndian = false
        case "MM\0*": isBigEndian = true
        default: return nil
        }
        guard first != nil else { return nil }
    }

    /// The prefix of the block in libvips and in JPEG.
    package static let mark = Array("Exif\0\0".utf8)

    // MARK: - Changes

    /// Sets the orientation to upright and updates the size. Removes the thumbnail, which would show the picture
    /// before the edit.
    package mutating func describe(width: Int, height: Int) {
        removeThumbnails()
        guard let main = first else { return }
        // All duplicates are set, regardless of their type, because programs read different ones.
        for entry in main.entries where entry.tag == ExifTag.orientation {
            write(3, 2, at: entry.position - 6)
            write(1, 4, at: entry.position - 4)
            write(1, 2, at: entry.position)
            write(0, 2, at: entry.position + 2)
        }
        set(ExifTag.imageWidth, to: width, in: main)
        set(ExifTag.imageLength, to: height, in: main)
        guard let exif = main.entry(ExifTag.exifDirectory).flatMap(directory(of:)) else { return }
        set(ExifTag.pixelXDimension, to: width, in: exif)
        set(ExifTag.pixelYDimension, to: height, in: exif)
    }

    /// Updates the colour space in the tags that are present.
    mutating func describe(_ space: ExifColorSpace) {
        guard let exif = first?.entry(ExifTag.exifDirectory).flatMap(directory(of:)) else { return }
        set(ExifTag.colorSpace, to: space.number, in: exif)
        guard let rules = exif.entry(ExifTag.interoperabilityDirectory).flatMap(directory(of:)),
            let entry = rules.entry(ExifColorSpace.index)
        else { return }
        guard let index = space.index else { return remove(entry, from: rules) }
        // A string of three letters fits into the entry itself.
        write(2, 2, at: entry.position - 6)
        write(4, 4, at: entry.position - 4)
        for (offset, letter) in (Array(index.utf8) + [0]).enumerated() {
            write(Int(letter), 1, at: entry.position + offset)
        }
    }

    /// Whether the block is still readable. An edit may damage overlapping values.
    var isWhole: Bool { first != nil }

    /// Removes the location. Also removes XMP and IPTC inside EXIF, which may repeat it.
    ///
    /// - Returns: False if the values overlap others and cannot be removed.
    mutating func removeLocation() -> Bool {
        removeTags(
            [ExifTag.gpsDirectory, ExifTag.xmp, ExifTag.iptc]
                + DescriptiveExifTags.geography.sorted())
    }

    /// Removes XMP inside EXIF, which may name persons.
    ///
    /// - Returns: False if the value overlaps others and cannot be removed.
    mutating func removeXMP() -> Bool { removeTags([ExifTag.xmp]) }

    /// Whether the block contains GeoTIFF tags, which locate each pixel on the ground.
    var hasGeography: Bool {
        first?.entries.contains { DescriptiveExifTags.geography.contains($0.tag) } ?? false
    }

    /// Removes the GeoTIFF tags.
    ///
    /// - Returns: False if the values overlap others and cannot be removed.
    mutating func removeGeography() -> Bool { removeTags(DescriptiveExifTags.geography.sorted()) }

    /// Whether the block contains chromaticities of a colour space.
    var hasChromaticities: Bool {
        first?.entries.contains { DescriptiveExifTags.chromaticities.contains($0.tag) } ?? false
    }

    /// Removes the chromaticities.
    ///
    /// - Returns: False if the values overlap others and cannot be removed.
    mutating func removeChromaticities() -> Bool {
        removeTags(DescriptiveExifTags.chromaticities.sorted())
    }

    /// Whether the block contains a maker note.
    var hasMakerNote: Bool {
        first?.entry(ExifTag.exifDirectory).flatMap(directory(of:))?
            .entry(ExifTag.makerNote) != nil
    }

    private mutating func removeTags(_ tags: [Int]) -> Bool {
        for tag in tags {
            while let main = first, let entry = main.entry(tag) {
                var removed = [range(of: entry)].compactMap { $0 }
                if tag == ExifTag.gpsDirectory, let location = directory(of: entry) {
                    removed += [location.range] + location.entries.compactMap(range)
                }
                remove(entry, from: main)
                guard let rest = first else { return false }
                let used = used(by: rest)
                guard !removed.contains(where: { part in used.contains { $0.overlaps(part) } })
                else {
                    return false
                }
                for part in removed {
                    let inside = part.clamped(to: 0..<bytes.count)
                    bytes.replaceSubrange(inside, with: repeatElement(0, count: inside.count))
                }
            }
        }
        return isWhole
    }

    /// Removes an entry. Later entries and the link to the next directory move up.
    mutating func remove(_ entry: Entry, from directory: Directory) {
        let start = entry.position - 8
        let moved = Array(bytes[start + 12..<directory.range.upperBound])
        bytes.replaceSubrange(
            start..<directory.range.upperBound, with: moved + [UInt8](repeating: 0, count: 12))
        write(directory.entries.count - 1, 2, at: directory.range.lowerBound)
    }

    private mutating func set(_ tag: Int, to value: Int, in directory: Directory) {
        guard let entry = directory.entry(tag), entry.count == 1 else { return }
        switch entry.type {
        case 3 where value <= 0xFFFF: write(value, 2, at: entry.position)
        case 4: write(value, 4, at: entry.position)
        // A number that does not fit a short is stored as a long.
        case 3:
            write(4, 2, at: entry.position - 6)
            write(value, 4, at: entry.position)
        default: break
        }
    }

    /// Unlinks all directories after the first. The bytes of their pictures are removed if they are at the end of the
    /// block. Otherwise, those that no other value uses are zeroed.
    private mutating func removeThumbnails() {
        guard let main = first, var offset = number(main.link, 4), offset != 0 else { return }
        write(0, 4, at: main.link)
        var seen: Set<Int> = []
        while offset != 0, seen.count < 16, seen.insert(offset).inserted,
            let directory = directory(at: offset)
        {
            for (position, length) in [
                (ExifTag.jpegInterchangeFormat, ExifTag.jpegInterchangeFormatLength),
                (ExifTag.stripOffsets, ExifTag.stripByteCounts),
            ] {
                guard let start = directory.entry(position).flatMap(value),
                    let count = directory.entry(length).flatMap(value)
                else { continue }
                erase(start..<max(start, min(bytes.count, start + count)), main)
            }
            offset = number(directory.link, 4) ?? 0
        }
    }

    private mutating func erase(_ range: Range<Int>, _ main: Directory) {
        guard range.lowerBound < bytes.count, !range.isEmpty else { return }
        let used = used(by: main).filter { $0.overlaps(range) }
            .sorted { $0.lowerBound < $1.lowerBound }
        if used.isEmpty, range.upperBound == bytes.count {
            bytes.removeLast(range.count)
            return
        }
        var position = range.lowerBound
        for part in used + [range.upperBound..<range.upperBound] {
            for index in position..<max(position, min(part.lowerBound, range.upperBound)) {
                bytes[index] = 0
            }
            position = max(position, part.upperBound)
        }
    }

    // MARK: - Reading

    /// The first directory; `nil` if it is malformed.
    var first: Directory? { number(4, 4).flatMap(directory(at:)) }

    /// Returns the directory that an entry points to.
    func directory(of entry: Entry) -> Directory? {
        value(entry).flatMap(directory(at:))
    }

    /// Returns the directory at an offset; `nil` if it is truncated.
    func directory(at offset: Int) -> Directory? {
        guard offset >= 8, let directory = Directory(at: offset, number),
            directory.range.upperBound <= bytes.count
        else { return nil }
        return directory
    }

    /// Returns the value of an entry with a single integer.
    private func value(_ entry: Entry) -> Int? {
        guard entry.count == 1 else { return nil }
        switch entry.type {
        case 3: return number(entry.position, 2)
        case 4, 9, 13: return number(entry.position, 4)
        default: return nil
        }
    }

    /// Returns the ranges of all directories reachable from the first, and of their values.
    func used(by main: Directory) -> [Range<Int>] {
        let tags = [ExifTag.exifDirectory, ExifTag.gpsDirectory]
        let subdirectories = tags.compactMap { main.entry($0).flatMap(directory(of:)) }
        let interoperability = subdirectories.compactMap {
            $0.entry(ExifTag.interoperabilityDirectory).flatMap(directory(of:))
        }
        let next = number(main.link, 4).flatMap { $0 == 0 ? nil : directory(at: $0) }
        let thumbnail = next.flatMap { directory -> Range<Int>? in
            guard let start = directory.entry(ExifTag.jpegInterchangeFormat).flatMap(value),
                let count = directory.entry(ExifTag.jpegInterchangeFormatLength).flatMap(value)
            else { return nil }
            return start..<start + count
        }
        return [0..<8, thumbnail ?? 0..<0]
            + ([main] + subdirectories + interoperability + [next].compactMap { $0 }).flatMap {
                directory in
                [directory.range] + directory.entries.compactMap(range)
            }
    }

    /// Returns the range of a value stored outside its entry.
    func range(of entry: Entry) -> Range<Int>? {
        guard let size = TIFFReader.size(ofType: entry.type), entry.count <= bytes.count / size,
            entry.count * size > 4, let offset = number(entry.position, 4), offset <= bytes.count
        else { return nil }
        return offset..<offset + entry.count * size
    }

    /// Reads an unsigned integer of `length` bytes.
    func number(_ offset: Int, _ length: Int) -> Int? {
        bytes.number(at: offset, bytes: length, bigEndian: isBigEndian)
    }

    /// Writes an unsigned integer of `length` bytes.
    mutating func write(_ number: Int, _ length: Int, at offset: Int) {
        bytes.set(number, bytes: length, at: offset, bigEndian: isBigEndian)
    }
}
