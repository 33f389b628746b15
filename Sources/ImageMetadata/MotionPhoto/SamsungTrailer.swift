// SPDX-License-Identifier: Apache-2.0

/// The trailer that Samsung phones write after a picture: named parts, and a list of their positions. All numbers are
/// little-endian (as ExifTool's `Samsung.pm` reads them).
package struct SamsungTrailer {
    /// A named part.
    struct Part {
        /// The range of the whole part in the file.
        let range: Range<Int>
        /// The name, such as `MotionPhoto_Data`.
        let name: String
        /// The range of the contents after the name.
        let contents: Range<Int>
        /// The type in the list, including the two bytes before it.
        let kind: [UInt8]
    }

    /// The parts before the list, in the order of the list.
    let parts: [Part]
    /// The range of all parts and the list.
    let range: Range<Int>
    /// The version declared in the list.
    private let version: Int

    /// The maximum number of parts that any picture has.
    private static let maximumParts = 1024
    private static let longestName = 256
    /// The list starts with its signature, a version and a count. An entry holds the type of a part, its distance
    /// from the list, and its length.
    private static let headerLength = 12
    private static let entryLength = 12

    /// Reads the trailer that ends at an offset. Returns `nil` if there is none.
    package init?(_ bytes: Bytes, end: Int) {
        guard end >= 8, bytes.has("SEFT", at: end - 4), let length = Self.number(bytes, end - 8),
            length >= Self.headerLength, length <= end - 8
        else { return nil }
        let list = end - 8 - length
        guard bytes.has("SEFH", at: list), let version = Self.number(bytes, list + 4),
            let count = Self.number(bytes, list + 8)
        else { return nil }
        let room = min(Self.maximumParts, (length - Self.headerLength) / Self.entryLength)
        let parts = (0..<min(count, room)).compactMap { index in
            Self.part(bytes, entry: list + Self.headerLength + index * Self.entryLength, list)
        }
        self.parts = parts
        self.version = version
        range = (parts.map(\.range.lowerBound).min() ?? list)..<end
    }

    private static func part(_ bytes: Bytes, entry: Int, _ list: Int) -> Part? {
        guard let kind = bytes.slice(entry, 4), let distance = number(bytes, entry + 4),
            let length = number(bytes, entry + 8), distance <= list, length <= distance
        else { return nil }
        let start = list - distance
        guard let nameLength = number(bytes, start + 4), nameLength <= longestName,
            length >= 8 + nameLength, let name = bytes.slice(start + 8, nameLength)
        else { return nil }
        return Part(
            range: start..<start + length, name: String(decoding: name, as: UTF8.self),
            contents: start + 8 + nameLength..<start + length, kind: kind)
    }

    private static func number(_ bytes: Bytes, _ offset: Int) -> Int? {
        bytes.number(offset, 4, bigEndian: false).map(Int.init)
    }
}

// MARK: - Motion Photos

extension SamsungTrailer {
    private static let videoName = "MotionPhoto_Data"

    /// Returns the declared range of the video of a Motion Photo; `nil` if there is none.
    ///
    /// - Returns: The offset and the length, which may be out of range.
    func video(_ bytes: Bytes) -> (offset: Int, length: Int)? {
        guard let part = parts.first(where: { $0.name == Self.videoName }) else { return nil }
        let contents = part.contents
        // Newer phones store the video elsewhere, and this part contains its big-endian offset and length.
        if contents.count == 12, bytes.has("mpv", at: contents.lowerBound),
            let offset = bytes.number(contents.lowerBound + 4, 4, bigEndian: true),
            let length = bytes.number(contents.lowerBound + 8, 4, bigEndian: true)
        {
            return (Int(offset), Int(length))
        }
        return (contents.lowerBound, contents.count)
    }

    /// Returns the trailer without the parts of Motion Photos. It is empty if no other parts remain.
    func withoutVideo(_ bytes: Bytes) -> [UInt8] {
        trailer(of: parts.filter { !$0.name.hasPrefix("MotionPhoto_") }, bytes)
    }

    /// Returns a trailer that contains only the parts about the capture: date, country, and mode.
    ///
    /// - Parameter includesCountry: Whether the country is kept.
    package func notes(_ bytes: Bytes, includesCountry: Bool) -> [UInt8] {
        trailer(
            of: parts.filter {
                Self.notes.contains($0.name) && (includesCountry || $0.name != Self.countryName)
            }, bytes)
    }

    private static let countryName = "MCC_Data"
    private static let notes: Set<String> = [
        "Image_UTC_Data", countryName, "Camera_Capture_Mode_Info", "Camera_Scene_Info",
    ]

    private func trailer(of parts: [Part], _ bytes: Bytes) -> [UInt8] {
        // Overlapping parts would multiply the size of the file.
        if parts.isEmpty || parts.reduce(0, { $0 + $1.range.count }) > range.count { return [] }
        let contents = parts.map { bytes.slice($0.range.lowerBound, $0.range.count) ?? [] }
        var distance = contents.reduce(0) { $0 + $1.count }
        var list = Array("SEFH".utf8) + Self.word(version) + Self.word(parts.count)
        for (part, content) in zip(parts, contents) {
            list += part.kind + Self.word(distance) + Self.word(content.count)
            distance -= content.count
        }
        return contents.flatMap { $0 } + list + Self.word(list.count) + Array("SEFT".utf8)
    }

    private static func word(_ number: Int) -> [UInt8] { TIFFWriter.bytes(number, 4) }
}
