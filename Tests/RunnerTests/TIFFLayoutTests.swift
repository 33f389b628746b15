// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing

/// TIFF layouts that libvips does not open.
@Suite("TIFF layouts")
struct TIFFLayoutTests {
    /// A file of 64 x 64 pixels that are all zero.
    private static func file(bits: Int, samples: Int, tiledPlanes: Bool = false) -> [UInt8] {
        var entries: [(tag: Int, type: Int, values: [Int])] = [
            (0x0100, 3, [64]), (0x0101, 3, [64]),
            (0x0102, 3, [Int](repeating: bits, count: samples)), (0x0103, 3, [1]),
            (0x0106, 3, [samples == 1 ? 1 : 2]), (0x0115, 3, [samples]),
            (0x011C, 3, [tiledPlanes ? 2 : 1]),
        ]
        let start = 1024
        let plane = 64 * 64 * bits / 8
        if tiledPlanes {
            entries += [(0x0142, 3, [64]), (0x0143, 3, [64])]
            entries.append((0x0144, 4, (0..<samples).map { start + $0 * plane }))
            entries.append((0x0145, 4, [Int](repeating: plane, count: samples)))
        } else {
            entries += [(0x0111, 4, [start]), (0x0116, 3, [64]), (0x0117, 4, [plane * samples])]
        }
        func bytes(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var values: [UInt8] = []
        var directory = bytes(entries.count, 2)
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            let size = entry.type == 3 ? 2 : 4
            let list = entry.values.flatMap { bytes($0, size) }
            directory += bytes(entry.tag, 2) + bytes(entry.type, 2) + bytes(entry.values.count, 4)
            let field = list.count > 4 ? bytes(512 + values.count, 4) : list + [0, 0, 0, 0]
            directory += field[..<4]
            if list.count > 4 { values += list }
        }
        var file = Array("II*\0".utf8) + bytes(8, 4) + directory + bytes(0, 4)
        file += [UInt8](repeating: 0, count: 512 - file.count) + values
        return file + [UInt8](repeating: 0, count: start - file.count + plane * samples)
    }

    private static func reply(_ bytes: [UInt8]) throws -> RunnerReply {
        let file = try TestFile(bytes)
        let job = RenderJob(input: RenderInput(base: .encoded(.tiff)), output: .facts)
        return try withExtendedLifetime(file) {
            try TestRunner().request(.run(job), [(.base, file.number)])
        }
    }

    @Test("unsupported bit depths are rejected by name", arguments: [12, 4, 10, 24])
    func bits(bits: Int) throws {
        let reply = try Self.reply(Self.file(bits: bits, samples: 3))
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        guard bits != 24 else {
            // These are a whole number of bytes, which libvips itself rejects.
            #expect(failure.code == .badInput)
            #expect(failure.message.hasPrefix("the TIFF picture cannot be opened: "))
            return
        }
        #expect(failure.code == .blockedFormat)
        #expect(
            failure.message
                == "TIFF pictures with \(bits) bits per sample are not supported; save it with "
                + "8 or 16 bits"
        )
    }

    @Test("tiles in separate planes are rejected, and supported layouts open")
    func planes() throws {
        let tiled = try Self.reply(Self.file(bits: 8, samples: 3, tiledPlanes: true))
        guard case .failed(let failure) = tiled else { throw unexpected(tiled) }
        #expect(failure.code == .blockedFormat)
        #expect(failure.message.contains("tiles in separate planes"))
        let fine = [
            Self.file(bits: 8, samples: 3),
            Self.file(bits: 16, samples: 3), Self.file(bits: 1, samples: 1),
            Self.file(bits: 4, samples: 1),
        ]
        for bytes in fine {
            let reply = try Self.reply(bytes)
            guard case .rendered(let report) = reply else { throw unexpected(reply) }
            #expect(report.facts?.pixelWidth == 64)
        }
    }
}
