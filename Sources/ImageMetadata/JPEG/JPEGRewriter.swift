// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

/// Rewrites the metadata of a JPEG file. All other bytes are copied: the image data, the colour profile, and segments
/// of other programs.
package struct JPEGRewriter {
    let bytes: Bytes
    let blocks: MetadataBlocks
    let size: PixelSize
    let settings: EncodeSettings
    let isUpright: Bool

    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - blocks: The current metadata of the file.
    ///   - size: The stored size, without rotation.
    ///   - settings: The metadata to remove and to change.
    ///   - isUpright: Whether the orientation is upright. Otherwise, the EXIF with the orientation is kept.
    package init(
        bytes: Bytes, blocks: MetadataBlocks, size: PixelSize, settings: EncodeSettings,
        isUpright: Bool
    ) {
        self.bytes = bytes
        self.blocks = blocks
        self.size = size
        self.settings = settings
        self.isUpright = isUpright
    }

    /// Returns the rewritten file, or `nil` if the file must be re-encoded, because it is malformed or a block does not
    /// fit.
    package func result() -> RewrittenFile? {
        guard let header = JPEGHeader(bytes), let rest = rest(header) else { return nil }
        let output = OutputMetadata(blocks, settings)
        var parts: [[UInt8]] = []
        var moved: MovedIndex?
        guard let blocks = newBlocks(output, header, rest) else { return nil }
        let insertionIndex = header.segments.prefix { $0.marker == 0xE0 }.count
        for (index, segment) in header.segments.enumerated() {
            if index == insertionIndex { parts += blocks.missing(in: header.segments.map(kind)) }
            let kind = kind(segment)
            if let block = blocks[kind] {
                parts += block.take()
            } else if isKept(kind) {
                if kind == .pictures {
                    moved = MovedIndex(part: parts.count, old: segment.range.lowerBound)
                }
                parts.append(bytes.slice(segment.range.lowerBound, segment.range.count) ?? [])
            }
        }
        if insertionIndex == header.segments.count {
            parts += blocks.missing(in: header.segments.map(kind))
        }
        if let moved, !move(moved, in: &parts, header) { return nil }
        return RewrittenFile(parts: [.new([0xFF, 0xD8] + parts.joined())] + rest)
    }

    // MARK: - Segments

    /// The purpose of a segment.
    private enum Kind: Hashable {
        case exif, xmp, extendedXMP, resources
        /// The index of other pictures in the file (CIPA DC-007).
        case pictures
        case profile, jfif, adobe
        /// The coding parameters of the image data.
        case coding
        case other
    }

    private func kind(_ segment: JPEGHeader.Segment) -> Kind {
        let start = segment.contents.lowerBound
        let known: [(UInt8, String, Kind)] = [
            (0xE0, "JFIF\0", .jfif), (0xE1, "Exif\0", .exif), (0xE1, JPEGMetadata.xmpMark, .xmp),
            (0xE1, ExtendedXMP.mark, .extendedXMP), (0xE2, "ICC_PROFILE\0", .profile),
            (0xE2, "MPF\0", .pictures), (0xED, PhotoshopResources.mark, .resources),
            (0xEE, "Adobe", .adobe),
        ]
        let found = known.first {
            $0.0 == segment.marker && segment.contents.count >= $0.1.utf8.count
                && bytes.has($0.1, at: start)
        }
        if let found { return found.2 }
        return (0xE0...0xEF).contains(segment.marker) || segment.marker == 0xFE ? .other : .coding
    }

    var isWhole: Bool { settings.omittedMetadata == nil }

    private func isKept(_ kind: Kind) -> Bool {
        isWhole || [.profile, .jfif, .adobe, .coding].contains(kind)
    }

    // MARK: - Blocks

    /// The blocks that replace those of the file. Each is written once, in the position of the first old segment.
    private final class Blocks {
        private var blocks: [Kind: Block] = [:]

        final class Block {
            private var segments: [[UInt8]]

            init(_ segments: [[UInt8]]) { self.segments = segments }

            func take() -> [[UInt8]] {
                defer { segments = [] }
                return segments
            }
        }

        subscript(kind: Kind) -> Block? { blocks[kind] }

        func set(_ kind: Kind, _ segments: [[UInt8]]) { blocks[kind] = Block(segments) }

        /// Returns the blocks that the file does not contain.
        func missing(in kinds: [Kind]) -> [[UInt8]] {
            [.exif, .xmp, .resources].filter { !kinds.contains($0) }
                .flatMap { blocks[$0]?.take() ?? [] }
        }
    }

    /// Returns the changed blocks; `nil` if one does not fit.
    private func newBlocks(
        _ output: OutputMetadata, _ header: JPEGHeader, _ rest: [RewrittenFile.Part]
    ) -> Blocks? {
        let new = Blocks()
        if !isWhole || !output.isExifUnchanged {
            guard let exif = exif(output) else { return nil }
            new.set(.exif, exif)
        }
        let packet = isWhole ? output.xmp : output.xmp?.withoutOtherParts
        let xmp = motionVideo == nil ? packet : packet?.withoutMotionPhoto
        if !isWhole || isMotionPhoto || xmp?.text != blocks.xmp?.text {
            guard let segments = xmpSegments(xmp, header, rest),
                !isWhole || blocks.hasExtendedXMP || !hasConflictingExtension(header)
            else { return nil }
            new.set(.xmp, segments)
            if blocks.hasExtendedXMP { new.set(.extendedXMP, []) }
        }
        if !isWhole || output.iptc?.records != blocks.iptc?.records {
            guard let segments = resources(output.iptc, header) else { return nil }
            new.set(.resources, segments)
        }
        return new
    }

    private func exif(_ output: OutputMetadata) -> [[UInt8]]? {
        let limit = Self.maximumContents
        if let block = output.modifiedBlock(nil, limit: limit) {
            return segments(0xE1, "Exif\0\0", block)
        }
        // If a block is too long, rebuilding it here would lose as much of it as re-encoding.
        if output.hasBlock || !isUpright { return nil }
        return segments(0xE1, "Exif\0\0", output.rebuiltBlock(size, limit: limit))
    }

    private static let maximumContents = 65_500

    /// Returns the segment of a payload, or an empty array if there is no payload. Returns `nil` if the payload is too
    /// long.
    private func segments(_ marker: UInt8, _ mark: String, _ contents: [UInt8]?) -> [[UInt8]]? {
        guard let contents else { return [] }
        let length = contents.count + mark.utf8.count + 2
        guard length <= 0xFFFF else { return nil }
        return [[0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + mark.utf8 + contents]
    }

    private func resources(_ iptc: IPTCBlock?, _ header: JPEGHeader) -> [[UInt8]]? {
        let mark = PhotoshopResources.mark
        guard isWhole else { return segments(0xED, mark, iptc?.resource) }
        let old = PhotoshopResources.joined(in: header, bytes) ?? []
        let new = PhotoshopResources.replacing(iptc, in: old)
        return stride(from: 0, to: new.count, by: Self.maximumContents).reduce(into: []) {
            segments, start in
            let part = Array(new[start..<min(new.count, start + Self.maximumContents)])
            segments?.append(contentsOf: self.segments(0xED, mark, part) ?? [])
        }
    }

    private func contents(_ expected: Kind, _ header: JPEGHeader, dropping mark: Int) -> [[UInt8]] {
        header.segments.filter { kind($0) == expected }.map {
            Array((bytes.slice($0.contents.lowerBound, $0.contents.count) ?? []).dropFirst(mark))
        }
    }

    /// Whether an extended part that could not be joined contains a property to be changed.
    private func hasConflictingExtension(_ header: JPEGHeader) -> Bool {
        let rest = contents(.extendedXMP, header, dropping: ExtendedXMP.headerLength)
        guard !rest.isEmpty else { return false }
        let packet = XMPPacket(rest.flatMap { $0 })
        return [
            "dc:subject", "dc:title", "dc:description", "exif:", "xmp:Rating", "xmp:Label",
            "xmp:CreateDate", "photoshop:DateCreated", "tiff:ImageDescription",
            "lr:hierarchicalSubject", "digiKam:TagsList", "MicrosoftPhoto:",
        ].contains { packet.text.find(Array($0.utf8), from: 0) != nil }
            || motionVideo != nil && packet.withoutMotionPhoto?.text != packet.text
    }

    // MARK: - Other pictures in the file

    /// The position of the index among the parts, and its old offset.
    private struct MovedIndex {
        let part: Int
        let old: Int
    }

    /// Updates the index, which contains the length of the first picture and the distances from the index to the
    /// others.
    private func move(
        _ index: MovedIndex, in parts: inout [[UInt8]], _ header: JPEGHeader
    ) -> Bool {
        let before = 2 + parts[..<index.part].reduce(0) { $0 + $1.count }
        let all = 2 + parts.reduce(0) { $0 + $1.count }
        let growth = all - header.scan
        let growthAfterIndex = (all - before) - (header.scan - index.old)
        if growth == 0 && growthAfterIndex == 0 { return true }
        guard
            let moved = MultiPictureIndex.moving(
                parts[index.part], growth: growth, growthAfterIndex: growthAfterIndex)
        else { return false }
        parts[index.part] = moved
        return true
    }
}
