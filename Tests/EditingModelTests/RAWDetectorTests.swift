// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Testing

/// RAW files of TIFF structure, with directories as TIFF 6.0, section 2, describes them.
@Suite("RAW files of TIFF structure")
struct RAWDetectorTests {
    /// A directory to write: values of one word each, and subdirectories.
    private struct Directory {
        var values: [(tag: Int, value: Int)]
        var subdirectories: [Directory] = []
    }

    /// Writes TIFF files with their directories after the pixels.
    private struct Writer {
        let isLittle: Bool
        var bytes: [UInt8]

        init(isLittle: Bool, pixels: Int) {
            self.isLittle = isLittle
            bytes = isLittle ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]
            bytes += [UInt8](repeating: 0, count: 4 + pixels)
        }

        func word(_ value: Int, _ count: Int) -> [UInt8] {
            let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
            return isLittle ? little : little.reversed()
        }

        mutating func write(_ number: Int, at offset: Int) {
            bytes.replaceSubrange(offset..<offset + 4, with: word(number, 4))
        }

        /// Appends a directory and returns its offset.
        mutating func append(_ directory: Directory, next: Int = 0) -> Int {
            var offsets: [Int] = []
            for child in directory.subdirectories { offsets.append(append(child)) }
            let list = bytes.count
            for offset in offsets { bytes += word(offset, 4) }
            let start = bytes.count
            bytes += word(directory.values.count + (offsets.isEmpty ? 0 : 1), 2)
            for (tag, value) in directory.values {
                // PhotometricInterpretation and Compression are short values.
                let isShort = tag == 0x103 || tag == 0x106
                bytes += word(tag, 2) + word(isShort ? 3 : 4, 2) + word(1, 4)
                bytes += isShort ? word(value, 2) + [0, 0] : word(value, 4)
            }
            if let first = offsets.first {
                bytes += word(0x14A, 2) + word(4, 2) + word(offsets.count, 4)
                bytes += word(offsets.count == 1 ? first : list, 4)
            }
            bytes += word(next, 4)
            return start
        }
    }

    private static let preview = Directory(values: [(0xFE, 1), (0x100, 160), (0x106, 2)])
    private static let sensor = Directory(values: [(0xFE, 0), (0x103, 1), (0x106, 32803)])
    private static let picture = Directory(values: [(0xFE, 0), (0x103, 1), (0x106, 2)])

    private func format(of bytes: [UInt8]) -> MediaFormat {
        MediaFormat { Array(bytes.dropFirst($0).prefix($1)) }
    }

    private func format(_ directories: [Directory], isLittle: Bool) -> MediaFormat {
        var writer = Writer(isLittle: isLittle, pixels: 57_600)
        var next = 0
        for directory in directories.reversed() { next = writer.append(directory, next: next) }
        writer.write(next, at: 4)
        return format(of: writer.bytes)
    }

    @Test("sensor data in any directory makes a RAW file", arguments: [true, false])
    func sensors(isLittle: Bool) {
        var plain = Self.preview
        plain.values.removeFirst()
        plain.subdirectories = [Self.picture, Self.sensor]
        #expect(format([plain], isLittle: isLittle) == .raw)
        #expect(format([Self.sensor], isLittle: isLittle) == .raw)
        #expect(format([Self.picture, Self.sensor], isLittle: isLittle) == .raw)
        for compression in [32767, 32770, 32772, 32867, 34713, 65000, 65535] {
            let own = Directory(values: [(0xFE, 0), (0x103, compression), (0x106, 2)])
            #expect(format([Self.picture, own], isLittle: isLittle) == .raw)
        }
        let linear = Directory(values: [(0xFE, 0), (0x106, 34892), (0xC612, 0x0104)])
        #expect(format([linear], isLittle: isLittle) == .dng)
    }

    @Test("pages and pyramids remain TIFF pictures", arguments: [true, false])
    func pictures(isLittle: Bool) {
        var pyramid = Self.picture
        pyramid.subdirectories = [Self.preview, Self.preview]
        #expect(format([pyramid], isLittle: isLittle) == .tiff)
        #expect(format([Self.picture, Self.picture], isLittle: isLittle) == .tiff)
        #expect(format([Self.picture, Self.preview], isLittle: isLittle) == .tiff)
        #expect(format([], isLittle: isLittle) == .tiff)
        // LZW, JPEG, PackBits, JPEG 2000, SGI log, lossy DNG without a DNG version, Zstandard.
        for compression in [5, 7, 32773, 34712, 34676, 34892, 50000] {
            let page = Directory(values: [(0xFE, 0), (0x103, compression), (0x106, 2)])
            #expect(format([page], isLittle: isLittle) == .tiff, "\(compression)")
        }
    }

    @Test("Phase One's files are recognised by their own header, not by dark pixels")
    func phaseOne() {
        let little = [0x49, 0x49, 42, 0, 16, 0, 0, 0] + Array("IIIITwaR".utf8)
        let big = [0x4D, 0x4D, 0, 42, 0, 0, 0, 16] + Array("MMMMRawT".utf8)
        #expect(format(of: little) == .raw)
        #expect(format(of: big) == .raw)
        for pixel: UInt8 in [73, 77] {
            let start: [UInt8] = [0x49, 0x49, 42, 0, 108, 0, 0, 0]
            #expect(format(of: start + [UInt8](repeating: pixel, count: 100)) == .tiff)
        }
    }

    @Test("damaged and circular directories are read once, within the file")
    func damage() {
        var writer = Writer(isLittle: true, pixels: 16)
        let start = writer.append(Self.picture)
        writer.write(start, at: 4)
        // The next directory is the first one again.
        writer.write(start, at: writer.bytes.count - 4)
        #expect(format(of: writer.bytes) == .tiff)
        for count in 0..<writer.bytes.count {
            #expect(format(of: Array(writer.bytes.prefix(count))) == (count < 4 ? .unknown : .tiff))
        }
        for offset in 8..<writer.bytes.count {
            for byte: UInt8 in [0, 1, 0x7F, 0xFF] {
                var changed = writer.bytes
                changed[offset] = byte
                _ = format(of: changed)
            }
        }
    }

    @Test("a chain of many directories is read up to a limit")
    func chain() {
        var reads = 0
        var writer = Writer(isLittle: false, pixels: 0)
        var next = 0
        for _ in 0..<10_000 { next = writer.append(Self.picture, next: next) }
        writer.write(next, at: 4)
        let bytes = writer.bytes
        let format = MediaFormat { offset, count in
            reads += 1
            return Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
        }
        #expect(format == .tiff)
        #expect(reads < 100)
    }

    @Test("long lists of subdirectories that cannot be read are limited, too")
    func lists() {
        // Each of the directories has 512 lists of 32 offsets beyond the end.
        var writer = Writer(isLittle: true, pixels: 0)
        var next = 0
        for number in 0..<32 {
            let list = writer.bytes.count
            for offset in 0..<32 { writer.bytes += writer.word(1 << 30 | number << 8 | offset, 4) }
            let start = writer.bytes.count
            writer.bytes += writer.word(512, 2)
            for _ in 0..<512 {
                writer.bytes += writer.word(0x14A, 2) + writer.word(4, 2) + writer.word(32, 4)
                writer.bytes += writer.word(list, 4)
            }
            writer.bytes += writer.word(next, 4)
            next = start
        }
        writer.write(next, at: 4)
        let bytes = writer.bytes
        var reads = 0
        _ = MediaFormat { offset, count in
            reads += 1
            return Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
        }
        #expect(reads < 200)
    }
}
