// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Files written byte by byte, unlike those of any real program.
enum Bomb {
    private static func number(_ value: Int, _ count: Int, isBig: Bool = false) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
        return isBig ? bytes.reversed() : bytes
    }

    // MARK: - PNG

    /// A PNG with one bit per pixel and equal rows, compressed by Python's zlib.
    static func png(width: Int, height: Int, rows: Data, count: Int) throws -> Data {
        let folder = try TemporaryFolder()
        let program = """
            import struct, sys, zlib
            width, height, count, path = *map(int, sys.argv[1:4]), sys.argv[4]
            row = bytes.fromhex(sys.argv[5])
            packer = zlib.compressobj(9)
            data = b"".join(packer.compress(row) for _ in range(count)) + packer.flush()
            def chunk(name, body):
                end = struct.pack(">I", zlib.crc32(name + body))
                return struct.pack(">I", len(body)) + name + body + end
            header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
            open(path, "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", header)
                + chunk(b"IDAT", data) + chunk(b"IEND", b""))
            """
        let hex = rows.map { String(format: "%02x", $0) }.joined()
        let result = try runProgram(
            "/usr/bin/env",
            [
                "python3", "-c", program, "\(width)", "\(height)", "\(count)",
                folder.file("bomb.png"), hex,
            ])
        guard result.status == 0 else { throw TestExtension.Failure(description: result.errors) }
        return try Data(contentsOf: URL(fileURLWithPath: folder.file("bomb.png")))
    }

    // MARK: - Headers

    /// A file that declares a size of 65535 x 65535 pixels but contains almost none.
    static func header(_ format: String) throws -> Data {
        switch format {
        case "png": return try png(width: 65535, height: 65535, rows: Data([0]), count: 1)
        case "gif": return gif(side: 65535, frames: 1)
        case "tiff": return tiff(side: 65535, pages: 1)
        default:
            // Start, one table of coefficients, a frame of one component.
            let table =
                [0xFF, 0xDB] + number(67, 2, isBig: true) + [0] + [UInt8](repeating: 1, count: 64)
            let side = number(65535, 2, isBig: true)
            let frame =
                [0xFF, 0xC0] + number(11, 2, isBig: true) + [8] + side + side + [1, 1, 0x11, 0]
            return Data([0xFF, 0xD8] + table + frame + [0xFF, 0xD9])
        }
    }

    // MARK: - Many pictures

    /// A GIF of many frames of one pixel.
    static func frames(_ count: Int) -> Data { gif(side: 1, frames: count) }

    /// A TIFF of many pages of one pixel, each with its own directory.
    static func pages(_ count: Int) -> Data { tiff(side: 1, pages: count) }

    private static func gif(side: Int, frames: Int) -> Data {
        let size = number(side, 2) + number(side, 2)
        let start = Array("GIF89a".utf8) + size + [0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
        let control: [UInt8] = [0x21, 0xF9, 4, 0, 5, 0, 0, 0]
        let frame = control + [0x2C, 0, 0, 0, 0] + size + [0, 2, 2, 0x44, 1, 0]
        var data = Data(start)
        for _ in 0..<frames { data.append(contentsOf: frame) }
        return data + Data([0x3B])
    }

    private static func tiff(side: Int, pages: Int) -> Data {
        // Width, height, bits, compression, black is zero, strip, samples, rows, bytes.
        let tags = [
            (256, side), (257, side), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1),
            (278, side), (279, 1),
        ]
        let entries = tags.flatMap { tag, value in
            // Type 4, one number of 32 bits.
            number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4)
        }
        let length = 2 + entries.count + 4
        var data = Data(Array("II*\0".utf8) + number(10, 4) + [0x80, 0])
        for page in 0..<pages {
            let next = page == pages - 1 ? 0 : 10 + (page + 1) * length
            data.append(contentsOf: number(tags.count, 2) + entries + number(next, 4))
        }
        return data
    }
}
