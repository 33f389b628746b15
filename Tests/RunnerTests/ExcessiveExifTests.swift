// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import TestSupport
import Vips

/// EXIF blocks on which libexif would spend seconds or gigabytes. They are ignored, and the picture is read.
@Suite("excessive EXIF")
struct ExcessiveExifTests {
    /// A directory entry as stored in a file.
    private static func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
        word(tag, 2) + word(type, 2) + word(count, 4) + word(value, 4)
    }

    private static func word(_ number: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func directory(_ entries: [[UInt8]], next: Int = 0) -> [UInt8] {
        word(entries.count, 2) + entries.flatMap { $0 } + word(next, 4)
    }

    private static func block(_ rest: [UInt8]) -> [UInt8] {
        Array("II*\0".utf8) + word(8, 4) + rest
    }

    private static func repeated(_ entry: [UInt8], _ count: Int) -> [[UInt8]] {
        [[UInt8]](repeating: entry, count: count)
    }

    /// Excessive blocks, each with a name of its defect.
    private static let blocks: [(String, [UInt8])] = {
        var blocks: [(String, [UInt8])] = [0x8769, 0x8825, 0xA005].map { tag in
            (
                "5400 that lead back to themselves, \(tag)",
                block(directory(repeated(entry(tag, 4, 1, 8), 5400)))
            )
        }
        // Two directories that point to each other, and directories with two pointers each.
        let half = 2 + 2600 * 12 + 4
        blocks.append(
            (
                "two that lead to one another",
                block(
                    directory(repeated(entry(0x8769, 4, 1, 8 + half), 2600))
                        + directory(repeated(entry(0xA005, 4, 1, 8), 2600)))
            ))
        blocks.append(
            (
                "twice as many each time",
                block(directory(repeated(entry(0x8769, 4, 1, 8), 2)))
            ))
        blocks.append(
            (
                "the second directory is the first", block(directory([], next: 8))
            ))
        let values = 8 + 2 + 4000 * 12 + 4
        blocks.append(
            (
                "4000 that share their values",
                block(directory((0..<4000).map { entry(0x100 + $0, 7, 17000, values) }))
                    + [UInt8](repeating: 1, count: 17000)
            ))
        return blocks
    }()

    private func jpeg(_ exif: [UInt8]) throws -> [UInt8] {
        let plain = try TestPicture.image(width: 64, height: 48)
            .encoded(saver: "jpegsave_buffer", options: ["strip": true])
        let segment = Array("Exif\0\0".utf8) + exif
        let length = segment.count + 2
        try #require(length <= 0xFFFF)
        return Array(plain.prefix(2))
            + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + segment
            + plain.dropFirst(2)
    }

    private func expectQuick(_ file: [UInt8], _ name: String) throws {
        let runner = try TestRunner()
        let base = try TestFile(file)
        let output = try TestFile()
        let before = runner.processorTime
        for wanted in [RenderOutput.facts, .encoded(EncodeSettings(format: .jpeg))] {
            let reply = try runner.request(
                .run(RenderJob(input: RenderInput(base: .encoded(.unknown)), output: wanted)),
                [(.base, base.number), (.metadataSource, base.number), (.output, output.number)])
            guard case .rendered(let report) = reply else { throw unexpected(reply) }
            #expect(report.width == 64)
            #expect(report.warnings.contains { $0.contains("EXIF") }, "\(name)")
        }
        // libexif takes about three seconds each time it opens such a block.
        let used = runner.processorTime - before
        #expect(used < 2, "\(name): \(used) s")
        #expect(try output.image().width == 64)
    }

    @Test(
        "a JPEG with an excessive EXIF block opens quickly, with a warning",
        arguments: blocks.indices)
    func jpegs(_ index: Int) throws {
        let (name, block) = Self.blocks[index]
        try expectQuick(try jpeg(block), name)
    }

    @Test("an ordinary block is read normally")
    func ordinary() throws {
        let make = Array("Canon\0".utf8)
        let block = Self.block(
            Self.directory([Self.entry(0x010F, 2, make.count, 26)]) + make)
        let base = try TestFile(try jpeg(block))
        let runner = try TestRunner()
        let reply = try runner.request(
            .run(RenderJob(input: RenderInput(base: .encoded(.jpeg)), output: .facts)),
            [(.base, base.number)])
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        #expect(report.warnings.isEmpty)
        #expect(report.facts?.metadata?.cameraMake == "Canon")
    }
}
