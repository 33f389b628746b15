// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

/// Removes the metadata of the photo from a GIF. All frames are copied with their delays, as is the loop count.
package struct GIFRewriter {
    private let bytes: Bytes
    private let omitted: EncodeSettings.OmittedMetadata

    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - omitted: The kind of metadata to remove.
    package init(bytes: Bytes, omitted: EncodeSettings.OmittedMetadata) {
        self.bytes = bytes
        self.omitted = omitted
    }

    /// Returns the rewritten file, or `nil` if the file is truncated or malformed.
    package func result() -> RewrittenFile? {
        guard bytes.has("GIF8", at: 0), let flags = bytes[10] else { return nil }
        var position = Self.headerLength + Self.colorTable(flags)
        var parts: [RewrittenFile.Part] = [.old(0..<position)]
        while let mark = bytes[position], mark != Self.trailer {
            guard let end = endOfBlock(at: position) else { return nil }
            if let packet = xmp(in: position..<end) {
                if let filtered = filtered(packet) { parts.append(.new(Self.block(filtered))) }
            } else if isKept(at: position) {
                parts.append(.old(position..<end))
            }
            position = end
        }
        guard bytes[position] == Self.trailer else { return nil }
        return RewrittenFile(parts: parts + [.new([Self.trailer])])
    }

    // MARK: - Blocks (GIF89a specification, 1990)

    private static let headerLength = 13
    private static let trailer: UInt8 = 0x3B
    private static let extensionMark: UInt8 = 0x21
    private static let comment: UInt8 = 0xFE
    private static let application: UInt8 = 0xFF

    /// Returns the length in bytes of the colour table that the flags of a screen or frame declare.
    private static func colorTable(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    private func endOfBlock(at position: Int) -> Int? {
        switch bytes[position] {
        case Self.extensionMark: return endOfSubBlocks(from: position + 2)
        case 0x2C:
            guard let flags = bytes[position + 9] else { return nil }
            // The colour table is followed by one byte with the code size.
            return endOfSubBlocks(from: position + 11 + Self.colorTable(flags))
        default: return nil
        }
    }

    /// Returns the end of a sequence of sub-blocks of up to 255 bytes, each with its length. The last one is empty.
    private func endOfSubBlocks(from start: Int) -> Int? {
        var position = start
        while let length = bytes[position] {
            position += 1 + Int(length)
            if length == 0 { return position }
        }
        return nil
    }

    /// Whether a block is kept: frames, their control blocks, the loop count, and the colour profile.
    private func isKept(at position: Int) -> Bool {
        guard bytes[position] == Self.extensionMark else { return true }
        switch bytes[position + 1] {
        case Self.comment: return false
        case Self.application:
            return ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"].contains {
                bytes.has($0, at: position + 3)
            }
        default: return true
        }
    }

    // MARK: - XMP (XMP Specification, part 3, 1.1.2)

    private static let xmpMark = "XMP DataXMP"
    /// A trailer that leads every reader of sub-blocks to the end of the packet, from any position in it.
    private static let xmpEnd: [UInt8] = [1] + (0...255).reversed() + [0]

    private func xmp(in block: Range<Int>) -> XMPPacket? {
        let start = block.lowerBound + 3 + Self.xmpMark.utf8.count
        guard bytes[block.lowerBound] == Self.extensionMark,
            bytes[block.lowerBound + 1] == Self.application,
            bytes.has(Self.xmpMark, at: block.lowerBound + 3)
        else { return nil }
        return XMPPacket(
            bytes.slice(start, block.upperBound - start - Self.xmpEnd.count) ?? [])
    }

    private func filtered(_ packet: XMPPacket) -> XMPPacket? {
        switch omitted {
        case .all: return nil
        case .allButCopyright: return packet.withCopyrightOnly
        case .location, .people, .locationAndPeople:
            var packet = packet
            return packet.remove(omitted) ? packet : nil
        }
    }

    private static func block(_ packet: XMPPacket) -> [UInt8] {
        [extensionMark, application, UInt8(xmpMark.utf8.count)] + xmpMark.utf8 + packet.text
            + xmpEnd
    }
}
