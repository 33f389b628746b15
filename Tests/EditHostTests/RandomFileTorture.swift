// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// Presets and records of unknown origin are either read or rejected.
@Suite("random presets and records", .torture)
struct RandomFileTorture {
    private static let rounds = 100_000
    private let seed = TestSeed.seed()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(isInMemory: true) }

    /// One of several valid files, mutated most of the time.
    private func bytes(
        of round: Int, _ valid: [Data], using random: inout some RandomNumberGenerator
    ) -> Data {
        let one = Fuzz.pick(valid, using: &random)
        switch round % 5 {
        case 0: return Fuzz.bytes(Int.random(in: 0...200, using: &random), using: &random)
        case 1, 2: return Fuzz.mutated(one, using: &random)
        default: return Fuzz.mutatedJSON(one, using: &random)
        }
    }

    @Test("100,000 random and mutated presets are read or rejected without a trap")
    func presets() throws {
        var random = SeededGenerator(seed: seed)
        let steps = try (1...2).map { number in
            EditPreset.Step(
                extensionIdentifier: "com.example.a\(number)", extensionVersion: "1.0",
                adjustmentData: try AdjustmentData(
                    formatIdentifier: "com.example.a", formatVersion: "1",
                    data: number == 1 ? Data("{\"a\":1}".utf8) : Data([0, 255])
                ).checked())
        }
        let valid = try [EditPreset(steps: steps), EditPreset(steps: [steps[1]])].map {
            try $0.encoded
        }
        var read = 0
        for round in 0..<Self.rounds {
            let path = try folder.write(
                bytes(of: round, valid, using: &random), to: "preset.json")
            do {
                let preset = try EditPreset(file: path)
                read += 1
                #expect(
                    preset.steps.allSatisfy {
                        $0.extensionIdentifier.isName && $0.extensionVersion.isName
                    }, "seed \(seed)")
                try folder.write(preset.encoded, to: "again.json")
                #expect(try EditPreset(file: folder.file("again.json")) == preset, "seed \(seed)")
            } catch let error as HostError {
                #expect(error.code == .badInput, "\(error), seed \(seed)")
            }
        }
        #expect(read > Self.rounds / 100, "seed \(seed)")
    }

    @Test("100,000 random and mutated files of records yield only records that a line has")
    func lists() throws {
        var random = SeededGenerator(seed: seed)
        let hashes = ["1a", "2b", "3c"].map { String(repeating: $0, count: 32) }
        let valid = [
            hashes.map { "{\"digest\":\"\($0)\",\"identifier\":\"com.example.\($0)\"}\n" }.joined(),
            hashes.map { "\($0)  com.example.x\n" }.joined(),
            hashes.map { "{\"digest\":\"\($0)\",\"identifier\":\"a.b\",\"kind\":\"trusted\"}\n" }
                .joined(),
        ].map { Data($0.utf8) }
        for round in 0..<Self.rounds {
            let data = bytes(of: round, valid, using: &random)
            let path = try folder.write(data, to: "extensions.jsonl")
            let lines = data.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
            let list = ExtensionRecord.list(path, as: .trusted)
            let records = ExtensionRecords(folder: folder.path).content.records
            #expect(max(list.count, records.count) <= lines.count, "seed \(seed)")
            for digest in (list + records).map(\.digest) {
                #expect(lines.contains { $0.lowercased().contains(digest.hex) }, "seed \(seed)")
            }
        }
    }
}
