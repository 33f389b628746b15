// SPDX-License-Identifier: Apache-2.0

/// Changes to an EXIF block that libvips does not make.
enum ExifBlock {
    /// The block with its first directory as the only one of the chain. The second one holds a
    /// thumbnail, which would show the picture as it was before the edit.
    static func withoutThumbnail(_ block: [UInt8]) -> [UInt8] {
        let bytes = Bytes(block)
        let origin = bytes.has("Exif\0\0", at: 0) ? 6 : 0
        let bigEndian = bytes.has("MM", at: origin)
        guard let directory = bytes.number(origin + 4, 4, bigEndian: bigEndian).map(Int.init),
            let count = bytes.number(origin + directory, 2, bigEndian: bigEndian).map(Int.init)
        else { return block }
        let link = origin + directory + 2 + count * 12
        guard link + 4 <= block.count else { return block }
        var changed = block
        changed.replaceSubrange(link..<link + 4, with: [0, 0, 0, 0])
        return changed
    }
}
