// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EditHost
@testable import Library

/// Results that are damaged, or made to damage the library.
@Suite("hostile results of workers")
struct HostileResultTests {
    enum Harm: String, CaseIterable {
        case flipped, truncated, extended, missing, otherFormat, link, fifo, folder, empty
    }

    /// Damages the file of a job.
    private func damage(_ path: String, _ harm: Harm, _ work: WorkFixture) throws {
        let files = FileManager.default
        var data = try #require(files.contents(atPath: path))
        try files.removeItem(atPath: path)
        switch harm {
        case .flipped: data[data.count / 2] ^= 1
        case .truncated: data.removeLast()
        case .extended: data.append(0)
        case .missing: return
        case .otherFormat: data = Data("GIF89a".utf8) + data.dropFirst(6)
        case .link:
            let target = try work.studio.folder.write(data, to: "target")
            return try files.createSymbolicLink(atPath: path, withDestinationPath: target)
        case .fifo:
            try #require(mkfifo(path, 0o600) == 0)
            return
        case .folder:
            return try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        case .empty: data = Data()
        }
        try data.write(to: URL(fileURLWithPath: path))
    }

    @Test(
        "a damaged file is left and reported with its attempt and node, and the others are taken",
        arguments: Harm.allCases)
    func damagedFile(harm: Harm) async throws {
        let work = try await WorkFixture(2)
        try work.writeAll()
        try damage(try work.file(0), harm, work)
        let (summary, events) = try await work.commit()
        #expect(summary.damaged == 1 && summary.committed == 1, "\(summary)")
        let damaged = events.compactMap { event -> WorkCommitEvent.Attempt? in
            guard case .damaged(_, let attempt, _) = event else { return nil }
            return attempt
        }
        #expect(damaged == [.init(name: "a", shard: 0, node: "node1")])
        #expect(try work.isRerendered(work.assets[1]) && !work.isRerendered(work.assets[0]))
        // A second attempt renders it again. The FIFO, link or folder is replaced by its file.
        try? FileManager.default.removeItem(atPath: try work.file(0))
        try work.write([try work.outcome(0)], attempt: "b")
        #expect(try await work.commit().summary.committed == 1)
        #expect(try work.isRerendered(work.assets[0]))
        #expect(try work.library.check(readingDataOf: 100).severity <= .repairable)
        await work.shutDown()
    }

    @Test("a file of another format whose hash is right is left")
    func otherFormat() async throws {
        let work = try await WorkFixture(1)
        let data = Data("GIF89a and more".utf8)
        let hash = WorkHash(of: data)
        let planned = work.jobs[0].outputs[0]
        let output = WorkOutcome.Output(
            edit: planned.edit, kind: .current, part: .photo, key: try #require(planned.key),
            sha256: hash, size: data.count, width: 4, height: 3, duration: nil,
            format: planned.settings.format, omissions: [])
        try work.write([WorkOutcome(job: 0, outputs: [output], seconds: 1)])
        try work.studio.folder.write(data, to: "\(work.results(0))/files/\(hash)")
        #expect(try await work.commit().summary.damaged == 1)
        await work.shutDown()
    }

    /// Lines that replace a member of a valid line, or are no lines at all.
    private static let lines: [(String, String)] = [
        (#""job":0"#, #""job":9223372036854775808"#), (#""job":0"#, #""job":-1"#),
        (#""job":0"#, #""job":1e400"#), (#""width":"#, #""width":99999999999999"#),
        (#""kind":"current""#, #""kind":"base""#), (#""part":"photo""#, #""part":"video""#),
        (#""format":"png""#, #""format":"jpeg""#), (#""size":"#, #""size":92233720368547758"#),
        (#""sha256":""#, #""sha256":"../../../../"#), (#""edit":""#, #""edit":"../"#),
        (#""edit":""#, #""edit":"' OR 1=1 --"#),
        (#""status":"rendered""#, #""status":"committed""#),
        // Photos have no duration, and a library rejects this one for videos.
        (#""width":"#, #""duration":1e300,"width":"#), (#""width":"#, #""duration":1,"width":"#),
    ]

    @Test("invalid and contradictory lines are left", arguments: lines)
    func line(old: String, new: String) async throws {
        let work = try await WorkFixture(1)
        try work.writeAll()
        let path = work.studio.folder.file("\(work.results(0))/a/\(WorkName.lineFile(0))")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let changed = text.replacing(old, with: new)
        try #require(changed != text)
        try changed.write(toFile: path, atomically: true, encoding: .utf8)
        let before = try WorkFixture.rows(of: work.assets[0], in: work.library)
        let summary = try await work.commit().summary
        #expect(summary.damaged == 1 && summary.committed == 0, "\(summary)")
        #expect(try WorkFixture.rows(of: work.assets[0], in: work.library) == before)
        await work.shutDown()
    }

    @Test("links, pipes, long lines and odd names in the folder do not stop a commit")
    func oddFolder() async throws {
        let work = try await WorkFixture(2, shardSize: 1)
        try work.writeAll()
        let folder = work.studio.folder
        let results = folder.file(work.results(0))
        for name in ["b", "c"] {
            try FileManager.default.createDirectory(
                atPath: "\(results)/\(name)", withIntermediateDirectories: true)
        }
        try #require(mkfifo("\(results)/b/0000.jsonl", 0o600) == 0)
        try #require(mkfifo("\(results)/b/attempt.json", 0o600) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: "\(results)/d", withDestinationPath: "\(results)/a")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("work/results/00007"), withDestinationPath: results)
        let long = Data(repeating: UInt8(ascii: "1"), count: 100 << 20)
        try folder.write(long, to: "\(work.results(0))/c/0000.jsonl")
        for name in ["99999999999999999999", "-1", "1", "00001x", "..x"] {
            try FileManager.default.createDirectory(
                atPath: folder.file("work/results/\(name)"), withIntermediateDirectories: true)
        }
        for name in [WorkName.committed, "a"] {
            try folder.write(Data(), to: "\(work.results(0))/\(name)/\(Int.max).jsonl")
        }
        let summary = try await work.commit().summary
        #expect(summary.committed == 2 && summary.damaged == 1, "\(summary)")
        for asset in work.assets { #expect(try work.isRerendered(asset)) }
        await work.shutDown()
    }

    @Test("the result of a photo that was reverted is left")
    func reverted() async throws {
        let work = try await WorkFixture(1)
        try work.writeAll()
        let history = try work.library.history(ofAsset: work.assets[0])
        try await work.library.performChanges {
            try AssetChangeRequest(for: history.asset).revertAssetContentToOriginal()
        }
        let before = try work.library.history(ofAsset: work.assets[0])
        let summary = try await work.commit().summary
        #expect(summary.edited == 1 && summary.committed == 0)
        #expect(try work.library.history(ofAsset: work.assets[0]) == before)
        await work.shutDown()
    }
}
