// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import TestSupport

/// Handmade uncompressed TIFF files. The directory comes first, so that a truncated file still opens and
/// only pixels are missing.
enum TruncatedTIFF {
    /// How the pixels are stored.
    enum Kind: CaseIterable, Sendable {
        case uchar, ushort, float, tiled, palette

        var bytesPerSample: Int {
            switch self {
            case .ushort: 2
            case .float: 4
            default: 1
            }
        }
    }

    static let rowsPerStrip = 16
    static let tile = 64

    /// A complete file of noise.
    static func file(_ kind: Kind, width: Int, height: Int, seed: UInt64 = 4116) -> [UInt8] {
        let samples = kind == .palette ? 1 : 3
        let rowBytes = width * samples * kind.bytesPerSample
        let isTiled = kind == .tiled
        let pieces =
            isTiled
            ? (width + tile - 1) / tile * ((height + tile - 1) / tile)
            : (height + rowsPerStrip - 1) / rowsPerStrip
        let pieceBytes = isTiled ? tile * tile * 3 : rowBytes * rowsPerStrip
        let lengths = (0..<pieces).map { piece in
            isTiled ? pieceBytes : min(rowsPerStrip, height - piece * rowsPerStrip) * rowBytes
        }
        var entries: [(tag: Int, type: Int, values: [Int])] = [
            (256, 4, [width]), (257, 4, [height]),
            (258, 3, [Int](repeating: 8 * kind.bytesPerSample, count: samples)), (259, 3, [1]),
            (262, 3, [kind == .palette ? 3 : 2]), (277, 3, [samples]), (284, 3, [1]),
            (339, 3, [Int](repeating: kind == .float ? 3 : 1, count: samples)),
        ]
        if kind == .palette { entries.append((320, 3, (0..<768).map { $0 * 85 % 65536 })) }
        if isTiled { entries += [(322, 3, [tile]), (323, 3, [tile])] }
        if !isTiled { entries.append((278, 4, [rowsPerStrip])) }
        entries.append((isTiled ? 325 : 279, 4, lengths))
        entries.append((isTiled ? 324 : 273, 4, lengths))
        return layOut(entries, lengths, isTiled ? 324 : 273, kind, seed)
    }

    private static func layOut(
        _ given: [(tag: Int, type: Int, values: [Int])], _ lengths: [Int], _ offsets: Int,
        _ kind: Kind, _ seed: UInt64
    ) -> [UInt8] {
        let entries = given.sorted { $0.tag < $1.tag }
        let end = 8 + 2 + entries.count * 12 + 4
        let data = entries.map { $0.values.count * ($0.type == 3 ? 2 : 4) }
        let pixels = end + data.filter { $0 > 4 }.reduce(0, +)
        var directory = word(entries.count, 2)
        var values: [UInt8] = []
        for entry in entries {
            var numbers = entry.values
            if entry.tag == offsets {
                numbers = lengths.indices.map { pixels + lengths[..<$0].reduce(0, +) }
            }
            let bytes = numbers.flatMap { word($0, entry.type == 3 ? 2 : 4) }
            directory += word(entry.tag, 2) + word(entry.type, 2) + word(numbers.count, 4)
            if bytes.count > 4 {
                directory += word(end + values.count, 4)
                values += bytes
            } else {
                directory += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
            }
        }
        let header = Array("II*\0".utf8) + word(8, 4) + directory + word(0, 4)
        return header + values + noise(lengths.reduce(0, +), kind, seed)
    }

    private static func noise(_ count: Int, _ kind: Kind, _ seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        guard kind != .float else {
            return (0..<count / 4).flatMap { _ in
                word(Int(Float.random(in: 0..<1, using: &generator).bitPattern), 4)
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
        }
        return Array(bytes.prefix(count))
    }

    private static func word(_ number: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

/// Truncated uncompressed pictures are rejected, wherever they end.
@Suite("truncated uncompressed TIFF files")
struct TruncatedTIFFTests {
    @Test(
        "all of 400 truncated files are rejected, and complete ones are not",
        arguments: TruncatedTIFF.Kind.allCases)
    func refused(kind: TruncatedTIFF.Kind) throws {
        let runner = try TestRunner()
        for (width, height) in [(400, 300), (1600, 100), (40, 600), (333, 217)] {
            let whole = TruncatedTIFF.file(kind, width: width, height: height)
            #expect(try facts(of: whole, runner)?.isRefusal == false)
            var generator = SeededGenerator(seed: 400)
            for turn in 0..<20 {
                // Half of them lack less than a strip, which is read when no other thread is working.
                let most = turn % 2 == 0 ? min(2000, whole.count / 20) : whole.count * 9 / 10
                let missing = Int.random(in: 1...most, using: &generator)
                let reply = try facts(of: Array(whole.dropLast(missing)), runner)
                #expect(
                    reply?.isRefusal == true,
                    "\(kind) \(width)x\(height): \(missing) bytes are missing")
            }
        }
    }

    private func facts(of bytes: [UInt8], _ runner: TestRunner) throws -> RunnerReply? {
        let file = try TestFile(bytes)
        return try withExtendedLifetime(file) {
            try runner.request(
                .run(RenderJob(input: RenderInput(base: .encoded(.tiff)), output: .facts)),
                [(.base, file.number)])
        }
    }
}

extension RunnerReply {
    /// Whether the reply reports an undecodable picture.
    fileprivate var isRefusal: Bool {
        guard case .failed(let failure) = self else { return false }
        return failure.code == .badInput
    }
}
