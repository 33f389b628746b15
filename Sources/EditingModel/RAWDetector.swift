// SPDX-License-Identifier: Apache-2.0

/// Distinguishes camera RAW files of TIFF structure from pictures by the directories of the file.
///
/// RAW files of most makers are TIFF files. Their first directory is often that of a preview, which programs that do
/// not know the maker show as the photo. TIFF 6.0, section 2, defines the structure.
struct RAWDetector {
    /// Reads at most `count` bytes at an offset; fewer at the end of the file.
    typealias Read = (_ offset: Int, _ count: Int) throws -> [UInt8]

    /// The values of one directory.
    private struct Directory {
        var isReduced = false
        var photometric: Int?
        var compression: Int?
        var hasSubdirectories = false
        var isDNG = false
    }

    /// The maximum number of directories that are read, counting those that cannot be.
    private static let maximumCount = 32
    /// The maximum number of entries that are read of a directory.
    private static let maximumEntries = 512

    /// The values of PhotometricInterpretation for sensor data: a colour filter array (TIFF/EP) and linear RAW (DNG).
    private static let sensorPhotometrics: Set = [32803, 34892]
    /// The values of Compression that makers use for sensor data, as ExifTool names them: Sony ARW, Samsung SRW
    /// (two), Kodak KDC, Nikon NEF, Kodak DCR, Pentax PEF.
    private static let sensorCompressions: Set = [32767, 32770, 32772, 32867, 34713, 65000, 65535]

    private let isLittle: Bool
    private var found: [Directory] = []

    /// Reads the directories of the chain and those of their SubIFDs.
    ///
    /// - Returns: `nil` if the file is not a TIFF file with 32-bit offsets.
    init?(read: Read) rethrows {
        let header = try read(0, 8)
        guard header.has([0x49, 0x49, 42, 0]) || header.has([0x4D, 0x4D, 0, 42]) else { return nil }
        isLittle = header[0] == 0x49
        var (offsets, next) = ([number(header, 4, 4)], 0)
        while next < offsets.count {
            if let offset = offsets[next], offset > 0 {
                let more = try self.read(directoryAt: offset, read)
                // An offset that is already in the list would be read again and again.
                for offset in more.prefix(Self.maximumCount) where !offsets.contains(offset) {
                    if offsets.count < Self.maximumCount { offsets.append(offset) }
                }
            }
            next += 1
        }
    }

    /// `MediaFormat.dng`, `.raw` or `.tiff`.
    var format: MediaFormat {
        guard let first = found.first else { return .tiff }
        if found.contains(where: \.isDNG) { return .dng }
        let isSensor: (Directory) -> Bool = {
            $0.photometric.map(Self.sensorPhotometrics.contains) == true
                || $0.compression.map(Self.sensorCompressions.contains) == true
        }
        if found.contains(where: isSensor) { return .raw }
        return first.isReduced && first.hasSubdirectories ? .raw : .tiff
    }

    /// Reads a directory and returns the offsets of the next one and of its SubIFDs.
    private mutating func read(directoryAt start: Int, _ read: Read) rethrows -> [Int?] {
        guard let count = number(try read(start, 2), 0, 2) else { return [] }
        let length = min(count, Self.maximumEntries) * 12
        let bytes = try read(start + 2, length + 4)
        var (directory, offsets) = (Directory(), [Int?]())
        for entry in stride(from: 0, to: min(length, bytes.count) - 11, by: 12) {
            let (tag, type) = (number(bytes, entry, 2), number(bytes, entry + 2, 2))
            // Short values are in the first bytes of the field, in either byte order.
            let value = number(bytes, entry + 8, type == 3 ? 2 : 4)
            switch tag {
            case 0xFE: directory.isReduced = value == 1
            case 0x103: directory.compression = value
            case 0x106: directory.photometric = value
            case 0x14A where !directory.hasSubdirectories:
                directory.hasSubdirectories = true
                offsets += try subdirectories(number(bytes, entry + 4, 4), value, read)
            case 0xC612: directory.isDNG = true
            default: break
            }
        }
        found.append(directory)
        return count <= Self.maximumEntries ? [number(bytes, length, 4)] + offsets : offsets
    }

    /// Returns the offsets in the field SubIFDs: the value itself if there is only one.
    private func subdirectories(_ count: Int?, _ value: Int?, _ read: Read) rethrows -> [Int?] {
        guard let count, let value, count > 1 else { return [value] }
        let list = try read(value, min(count, Self.maximumCount) * 4)
        return stride(from: 0, to: list.count - 3, by: 4).map { number(list, $0, 4) }
    }

    private func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, offset + count <= bytes.count else { return nil }
        let part = Array(bytes[offset..<offset + count])
        return (isLittle ? part.reversed() : part).reduce(0) { $0 << 8 | Int($1) }
    }
}
