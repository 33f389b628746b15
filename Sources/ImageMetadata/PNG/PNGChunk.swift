// SPDX-License-Identifier: Apache-2.0

/// A chunk of a PNG file.
package struct PNGChunk {
    /// The four letters of the type.
    package let type: String
    /// The range of the contents, after the header and before the checksum.
    package let contents: Range<Int>

    /// The range with the header and the checksum.
    package var range: Range<Int> { contents.lowerBound - 8..<contents.upperBound + 4 }

    /// Reads the chunk at an offset. Returns `nil` if it is truncated.
    init?(at position: Int, in bytes: Bytes) {
        guard let count = bytes.number(position, 4, bigEndian: true), count < 1 << 31,
            let type = bytes.slice(position + 4, 4), position + Int(count) + 12 <= bytes.count
        else { return nil }
        self.type = String(decoding: type, as: UTF8.self)
        contents = position + 8..<position + 8 + Int(count)
    }

    /// Returns the chunks of a file in order, up to the first truncated one.
    package static func chunks(of bytes: Bytes) -> some Sequence<PNGChunk> {
        sequence(state: 8) { position -> PNGChunk? in
            guard let chunk = PNGChunk(at: position, in: bytes) else { return nil }
            position = chunk.range.upperBound
            return chunk
        }
    }

    /// Returns the chunks before the pixels.
    package static func header(of bytes: Bytes) -> some Sequence<PNGChunk> {
        chunks(of: bytes).lazy.prefix(1 << 12).prefix { $0.type != "IDAT" }
    }
}
