// SPDX-License-Identifier: Apache-2.0

/// The properties of the primary picture of a HEIF file (ISO/IEC 23008-12, 9.3 and 6.5).
package struct HEIFProperties {
    private let bytes: Bytes
    private let boxes: [Box]

    /// Reads the properties. Returns `nil` if there are none.
    package init?(_ bytes: Bytes) {
        self.bytes = bytes
        let reader = BoxReader(bytes)
        guard let meta = reader.contents("meta"), meta.count > 4 else { return nil }
        let parts = Self.parts(of: meta.lowerBound + 4..<meta.upperBound, reader)
        guard let group = parts["iprp"] else { return nil }
        let properties = Self.parts(of: group, reader)
        guard let container = properties["ipco"] else { return nil }
        let all = Array(reader.children(of: container))
        let own = Self.indexes(
            ofPrimaryIn: parts["pitm"], associations: properties["ipma"], bytes)
        boxes = own?.compactMap { all.indices.contains($0 - 1) ? all[$0 - 1] : nil } ?? all
    }

    /// The colour properties, `colr`, with their type and the contents after it.
    package var colors: [(kind: String, contents: Range<Int>)] {
        boxes.compactMap { box in
            guard box.type == "colr", let kind = bytes.slice(box.contents.lowerBound, 4),
                box.contents.count >= 4
            else { return nil }
            return (
                String(decoding: kind, as: UTF8.self),
                box.contents.lowerBound + 4..<box.contents.upperBound
            )
        }
    }

    /// The rotation of the stored picture as an EXIF orientation; `nil` if it is also mirrored or cropped.
    package var orientation: Int? {
        if boxes.contains(where: { ["imir", "clap"].contains($0.type) }) { return nil }
        guard let rotation = boxes.first(where: { $0.type == "irot" }) else { return 1 }
        // The number of quarter turns counterclockwise.
        return bytes[rotation.contents.lowerBound].map { [1, 8, 3, 6][Int($0 & 3)] }
    }

    private static func parts(
        of range: Range<Int>, _ reader: BoxReader
    ) -> [BoxType: Range<Int>] {
        reader.children(of: range).reduce(into: [:]) { parts, box in
            if parts[box.type] == nil { parts[box.type] = box.contents }
        }
    }

    /// Returns the indices of the primary item's properties, starting at 1; `nil` if there are no associations.
    private static func indexes(
        ofPrimaryIn pitm: Range<Int>?, associations: Range<Int>?, _ bytes: Bytes
    ) -> [Int]? {
        guard let pitm, let associations, let pitmVersion = bytes[pitm.lowerBound],
            let primary = bytes.number(
                pitm.lowerBound + 4, pitmVersion == 0 ? 2 : 4, bigEndian: true),
            let version = bytes[associations.lowerBound],
            let flags = bytes[associations.lowerBound + 3],
            let count = bytes.number(associations.lowerBound + 4, 4, bigEndian: true)
        else { return nil }
        let identifierSize = version == 0 ? 2 : 4
        let indexSize = flags & 1 == 0 ? 1 : 2
        var position = associations.lowerBound + 8
        // A wrong count is limited by the length of the box.
        for _ in 0..<min(count, UInt64(associations.count)) {
            guard position < associations.upperBound,
                let item = bytes.number(position, identifierSize, bigEndian: true),
                let properties = bytes[position + identifierSize].map(Int.init)
            else { return nil }
            position += identifierSize + 1
            if item == primary {
                // The highest bit marks a property as essential.
                let mask: UInt64 = indexSize == 1 ? 0x7F : 0x7FFF
                return (0..<properties).compactMap { index in
                    bytes.number(position + index * indexSize, indexSize, bigEndian: true)
                        .map { Int($0 & mask) }
                }
            }
            position += properties * indexSize
        }
        return nil
    }
}
