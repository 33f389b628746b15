// SPDX-License-Identifier: Apache-2.0

/// Lays out directories of a little-endian TIFF file, one after the other.
struct TIFFWriter {
    /// A directory's entry, as it is written.
    struct Entry {
        let tag: Int
        let bytes: [UInt8]
    }

    /// What has been laid out.
    private(set) var bytes: [UInt8] = []
    private let start: Int
    private let isBig: Bool

    /// - Parameters:
    ///   - start: Where in the file the bytes will be; even.
    ///   - isBig: Whether the file is a BigTIFF.
    init(start: Int, isBig: Bool) {
        self.start = start
        self.isBig = isBig
    }

    /// The entry of a tag; long values are written before.
    ///
    /// - Parameter note: The value, if it is one that depends on its place.
    mutating func entry(_ tag: TIFFTag, moving note: MakerNote? = nil) -> Entry {
        var field = tag.value
        if field.count > fieldLength {
            align()
            let place = start + bytes.count
            field = Self.bytes(place, fieldLength)
            bytes += note?.moved(to: place) ?? tag.value
        }
        field += [UInt8](repeating: 0, count: fieldLength - field.count)
        return Entry(
            tag: tag.tag,
            bytes: Self.bytes(tag.tag, 2) + Self.bytes(tag.type, 2)
                + Self.bytes(tag.count, fieldLength) + field)
    }

    /// Writes a directory. Gives its place in the file.
    mutating func directory(_ entries: [Entry], next: Int = 0) -> Int {
        align()
        let place = start + bytes.count
        bytes += Self.bytes(entries.count, isBig ? 8 : 2)
        for entry in entries.sorted(by: { $0.tag < $1.tag }) { bytes += entry.bytes }
        bytes += Self.bytes(next, fieldLength)
        return place
    }

    /// A number without sign, little-endian.
    static func bytes(_ number: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private var fieldLength: Int { isBig ? 8 : 4 }

    private mutating func align() {
        if bytes.count % 2 == 1 { bytes.append(0) }
    }
}
