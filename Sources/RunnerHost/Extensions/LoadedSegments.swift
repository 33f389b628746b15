// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation

/// The extent of a shared library's loaded segments, from its 64-bit ELF headers. It detects truncated files.
struct LoadedSegments {
    /// The end of the last segment, as an offset in the file.
    private let end: UInt64

    /// The sizes of the ELF header and of a program header, in bytes.
    private static let sizes = (header: 64, program: 56)

    /// Returns nil if the file is of another format, which the dynamic loader will report. A file that begins like an
    /// ELF header and is shorter than one counts as truncated.
    init?(_ file: OpenFile) throws {
        let header = try file.read(count: Self.sizes.header)
        // 64 bit, little-endian.
        let beginning: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1]
        if header.count < Self.sizes.header,
            header.prefix(beginning.count).elementsEqual(beginning.prefix(header.count))
        {
            end = .max
            return
        }
        guard header.count == Self.sizes.header, header.starts(with: beginning) else {
            return nil
        }
        let start = header.number(at: 32, bytes: 8)
        let size = header.number(at: 54, bytes: 2)
        let count = header.number(at: 56, bytes: 2)
        guard size == UInt64(Self.sizes.program), let offset = Int(exactly: start) else {
            return nil
        }
        let table = try file.read(count: Int(size * count), at: offset)
        var end = start.addingReportingOverflow(size * count).partialValue
        for place in stride(
            from: 0, to: table.count - Self.sizes.program + 1, by: Self.sizes.program)
        {
            let segment = Data(table.dropFirst(place).prefix(Self.sizes.program))
            // PT_LOAD
            guard segment.number(at: 0, bytes: 4) == 1 else { continue }
            let (last, isTooFar) = segment.number(at: 8, bytes: 8)
                .addingReportingOverflow(segment.number(at: 32, bytes: 8))
            end = isTooFar ? .max : max(end, last)
        }
        self.end = end
    }

    /// Whether a file of this size contains all segments.
    func fit(in byteCount: Int) -> Bool { end <= UInt64(max(0, byteCount)) }
}

extension Data {
    /// Decodes a little-endian number of up to 8 bytes.
    fileprivate func number(at offset: Int, bytes: Int) -> UInt64 {
        dropFirst(offset).prefix(bytes).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
