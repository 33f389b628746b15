// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// Rewrites the metadata of a HEIC or AVIF file. All other bytes are copied and keep their offsets, because HEIF
/// refers to items by their offset in the file.
package struct HEIFRewriter {
    private let bytes: Bytes
    private let blocks: MetadataBlocks
    private let settings: EncodeSettings

    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - blocks: The current metadata of the file.
    ///   - settings: The metadata to remove and to change.
    package init(bytes: Bytes, blocks: MetadataBlocks, settings: EncodeSettings) {
        self.bytes = bytes
        self.blocks = blocks
        self.settings = settings
    }

    /// Returns the rewritten file, or `nil` if the file has no such metadata or its structure is ambiguous.
    package func result() -> RewrittenFile? {
        guard let items = HEIFItems(bytes) else { return nil }
        var edit = ByteReplacement(bytes)
        switch settings.omittedMetadata {
        case nil:
            guard let changes = settings.metadataChanges else { return nil }
            if changes.motionVideo == .remove, !removeVideo(from: &edit, items) { return nil }
        case .location?, .people?, .locationAndPeople?:
            guard hasNoOtherOmittedMetadata(items), removeVideo(from: &edit, items, isWholly: true)
            else {
                return nil
            }
        case .all, .allButCopyright: return nil
        }
        guard changeBlocks(in: &edit, items) else { return nil }
        return edit.file
    }

    // MARK: - Blocks

    /// Whether no other part of the file can contain the omitted metadata.
    private func hasNoOtherOmittedMetadata(_ items: HEIFItems) -> Bool {
        guard BoxReader(bytes).contents("moov") == nil, let others = items.otherXMP else {
            return false
        }
        return others.allSatisfy { other in
            var packet = XMPPacket(other)
            return settings.omittedMetadata.map { packet.remove($0) } ?? true
                && packet.text == other
        }
    }

    private func changeBlocks(in edit: inout ByteReplacement, _ items: HEIFItems) -> Bool {
        let output = OutputMetadata(blocks, settings)
        if !output.isExifUnchanged, items.exifItem != nil || output.tags != nil {
            guard let (prefix, old) = items.exifContent, let block = ExifBlock(old),
                let new = output.modifiedBlock(nil, limit: Self.maximumBlock)
            else { return false }
            // Offsets are relative to the TIFF header. The JPEG prefix before it is kept.
            let mark = old.dropLast(block.bytes.count)
            guard new == block.bytes || put(prefix + mark + new, items.exifItem, in: &edit, items)
            else { return false }
        }
        let isMotionPhoto =
            settings.omittedMetadata == nil && settings.metadataChanges?.motionVideo == nil
        let xmp = isMotionPhoto ? output.xmp : output.xmp?.withoutMotionPhoto
        if xmp?.text == blocks.xmp?.text { return true }
        guard let xmp else { return false }
        return put(xmp, in: &edit, items)
    }

    private static let maximumBlock = 1 << 20

    /// Replaces the XMP in place if the new packet is not longer, with padding for the rest.
    private func put(_ xmp: XMPPacket, in edit: inout ByteReplacement, _ items: HEIFItems) -> Bool {
        let room = items.xmpItem.flatMap { items.extents(of: $0) }?.first?.range.count ?? 0
        return put(xmp.padded(to: room).text, items.xmpItem, in: &edit, items)
    }

    /// Replaces the bytes of an item, in place if the length is equal, otherwise at the end of the file.
    private func put(
        _ content: [UInt8], _ item: Int?, in edit: inout ByteReplacement, _ items: HEIFItems
    ) -> Bool {
        guard let extents = item.flatMap({ items.extents(of: $0) }), extents.count == 1,
            let extent = extents.first
        else { return false }
        if content.count == extent.range.count {
            edit.replace(extent.range, with: content)
            return true
        }
        return !extent.isInBox && edit.move(extent, to: content)
    }

    // MARK: - The video

    /// The boxes that can be moved, because no offsets refer to them.
    private static let movable: Set<BoxType> = ["mpvd", "sefd", "free", "skip", "uuid"]

    /// Removes the box of the video, or the video itself if it has no box. Also removes its entry in the Samsung
    /// trailer.
    ///
    /// - Parameter isWholly: Whether all other data outside items is also removed.
    private func removeVideo(
        from edit: inout ByteReplacement, _ items: HEIFItems, isWholly: Bool = false
    ) -> Bool {
        let boxes = Array(BoxReader(bytes).children(of: 0..<bytes.count))
        let unwanted: Set<BoxType> = isWholly ? ["mpvd", "sefd", "uuid"] : ["mpvd"]
        var cuts = boxes.filter { unwanted.contains($0.type) }.map(\.range)
        if let video = MotionVideo(bytes, .heic, xmp: blocks.xmp).video?
            .range(inFileOfLength: bytes.count), !cuts.contains(where: { $0.overlaps(video) })
        {
            cuts.append(video)
        }
        for box in boxes where box.type == "sefd" && !isWholly {
            guard let trailer = SamsungTrailer(bytes, end: box.contents.upperBound),
                trailer.video(bytes) != nil, trailer.range.lowerBound >= box.contents.lowerBound
            else { continue }
            let rest = trailer.withoutVideo(bytes)
            edit.replace(box.range, with: rest.isEmpty ? [] : .box("sefd", rest))
        }
        for cut in cuts { edit.replace(cut, with: []) }
        // Items are addressed by file offsets, so they must lie before the first change of length.
        guard let first = edit.firstMove else { return true }
        return items.occupied.allSatisfy { $0.upperBound <= first }
            && boxes.allSatisfy { box in
                box.range.upperBound <= first || Self.movable.contains(box.type)
                    || cuts.contains { $0.contains(box.range.lowerBound) }
            }
    }
}

extension XMPPacket {
    /// Returns the packet with padding before its end marker (XMP Specification, part 1, 7.3.2), or at its end if it
    /// has no marker.
    fileprivate func padded(to length: Int) -> XMPPacket {
        let padding = [UInt8](repeating: 0x20, count: max(0, length - text.count))
        let position = text.find(Array("<?xpacket end".utf8), from: 0) ?? text.count
        return XMPPacket(Array(text[..<position]) + padding + text[position...])
    }
}

/// The edits of an ISO base media file.
private struct ByteReplacement {
    private let bytes: Bytes
    private var changes: [(range: Range<Int>, new: [UInt8])] = []
    private var appended: [UInt8] = []

    init(_ bytes: Bytes) { self.bytes = bytes }

    mutating func replace(_ range: Range<Int>, with new: [UInt8]) { changes.append((range, new)) }

    /// The offset of the first change that moves the bytes after it.
    var firstMove: Int? {
        changes.filter { $0.range.count != $0.new.count }.map(\.range.lowerBound).min()
    }

    /// Appends the new bytes of an item to the file, in an `mdat` box.
    ///
    /// - Returns: False if the last box extends to the end of the file or the new offsets do not fit.
    mutating func move(_ extent: HEIFItems.Extent, to content: [UInt8]) -> Bool {
        guard let last = BoxReader(bytes).children(of: 0..<bytes.count).suffix(1).first,
            last.contents.upperBound == bytes.count,
            bytes.number(last.range.lowerBound, 4, bigEndian: true) != 0
        else { return false }
        let before = changes.reduce(bytes.count) { $0 - $1.range.count + $1.new.count }
        let start = before + appended.count + 8
        let (offset, overflow) = start.subtractingReportingOverflow(extent.base)
        guard !overflow, offset >= 0, let newOffset = Self.number(offset, in: extent.offsetField),
            let newLength = Self.number(content.count, in: extent.lengthField)
        else { return false }
        replace(extent.offsetField, with: newOffset)
        replace(extent.lengthField, with: newLength)
        // The old content is zeroed, so that it can no longer be read.
        replace(extent.range, with: [UInt8](repeating: 0, count: extent.range.count))
        appended += .box("mdat", content)
        return true
    }

    private static func number(_ number: Int, _ length: Int) -> [UInt8] {
        TIFFWriter.bytes(number, length).reversed()
    }

    private static func number(_ number: Int, in field: Range<Int>) -> [UInt8]? {
        guard (1...8).contains(field.count), field.count == 8 || number >> (8 * field.count) == 0
        else { return nil }
        return Self.number(number, field.count)
    }

    /// The edited file; `nil` if changes overlap.
    var file: RewrittenFile? {
        var parts: [RewrittenFile.Part] = []
        var position = 0
        for change in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            guard change.range.lowerBound >= position, change.range.upperBound <= bytes.count else {
                return nil
            }
            parts += [.old(position..<change.range.lowerBound), .new(change.new)]
            position = change.range.upperBound
        }
        parts += [.old(position..<bytes.count), .new(appended)]
        return RewrittenFile(parts: parts.filter { $0.count > 0 })
    }
}
