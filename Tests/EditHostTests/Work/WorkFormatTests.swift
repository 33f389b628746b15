// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Library
import RunnerHost
import RunnerProtocol
import TestSupport
import Testing

@testable import EditHost

/// The files of a work folder, which anyone with write access to the folder can change.
@Suite("files of work folders")
struct WorkFormatTests {
    private let folder = Result { try TemporaryFolder() }

    private static func hash(_ text: String) -> WorkHash { WorkHash(of: Data(text.utf8)) }

    private static func job(_ number: Int = 17) -> WorkJob {
        let facts = PhotoFacts(
            format: .jpeg, pixelWidth: 40, pixelHeight: 30, orientation: 1, bitsPerSample: 8,
            hasAlpha: false, colorModel: .rgb, hasFullChroma: false, isLossy: true, frameCount: 1,
            mediaSubtypes: [], creationDate: nil, location: nil)
        var original = WorkJob.Input(role: .original, sha256: hash("original"), size: 1000)
        (original.format, original.facts, original.filename) = (.jpeg, facts, "a.jpg")
        var file = WorkJob.Input(role: .parameter, sha256: hash("cube"), size: 10)
        (file.parameter, file.filename) = ("lut", "a.cube")
        return WorkJob(
            job: number, asset: "0a", cost: 0.25, inputs: [original, file],
            steps: [
                .init(
                    edit: "e1", extension: hash("extension"), format: ["org.example.look", "2"],
                    recipe: Data([0, 1, 255]), files: [1])
            ],
            outputs: [
                .init(
                    edit: "e1", kind: .base, part: .photo, original: 0, from: .init(input: 0),
                    steps: [0], settings: .base(of: facts), key: hash("key"),
                    pixelsInPlace: true),
                .init(
                    edit: "e1", kind: .current, part: .photo, original: 0,
                    from: .init(output: 0), steps: [], settings: .rendition(of: facts),
                    pixelsInPlace: false),
            ])
    }

    private static func plan(_ jobs: Data, count: Int) -> WorkPlan {
        WorkPlan(
            id: "p", library: "l",
            environment: WorkEnvironment(
                edithost: "0.1.0", rendering: 3, machine: "x86_64", vips: "8.14.1",
                codecs: ["libheif": "1.15.1"], media: nil),
            inputs: ["/srv/blobs"],
            extensions: [
                WorkExtension(
                    identifier: "org.example.look", version: "2", digest: hash("extension"),
                    name: "look.editingextension", trusted: true, readsOriginal: false)
            ], budgets: WorkBudgets(ExtensionBudgets()),
            shards: [WorkShard(sha256: WorkHash(of: jobs), jobs: count, cost: 0.5)],
            probe: .bytes,
            probes: [
                WorkProbe(job: job(), sha256: hash("b"), bases: [hash("a")], seconds: 0.2)
            ])
    }

    private func write(
        _ jobs: [WorkJob] = [job(), job(18)], changing change: (inout Data) -> Void = { _ in }
    ) throws -> (WorkFolder, WorkHash, [WorkJob]) {
        let folder = try WorkFolder.create(at: folder.get().file("work"))
        var lines = Data()
        for job in jobs { lines += try WorkFolder.line(job) }
        let plan = Self.plan(lines, count: jobs.count)
        try folder.write(lines, as: "00000.jsonl", in: folder.makeFolder("jobs"))
        var data = try WorkFolder.encoded(plan)
        change(&data)
        try folder.write(data, as: "plan.json", in: folder.root)
        return (folder, WorkHash(of: data), jobs)
    }

    private func code(_ body: () throws -> Void) -> HostError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? HostError)?.code
        }
    }

    @Test("a plan and its jobs are read as they were written")
    func roundTrip() throws {
        let (folder, hash, jobs) = try write()
        let (plan, found) = try folder.plan(expecting: hash.digest)
        #expect(found == hash)
        #expect(
            plan
                == Self.plan(
                    try Data(contentsOf: URL(fileURLWithPath: folder.path + "/jobs/00000.jsonl")),
                    count: 2))
        var reader = try folder.jobs(ofShard: 0, in: plan)
        #expect(try reader.next() == jobs[0])
        #expect(try reader.next() == jobs[1])
        #expect(try reader.next() == nil)
        #expect(code { _ = try folder.jobs(ofShard: 1, in: plan) } == .badRequest)
        var status = stat()
        #expect(stat(folder.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test("one changed bit in a plan or a shard is detected")
    func bits() throws {
        let (folder, hash, _) = try write()
        let (plan, _) = try folder.plan(expecting: hash.digest)
        for name in ["jobs/00000.jsonl", "plan.json"] {
            let url = URL(fileURLWithPath: "\(folder.path)/\(name)")
            var data = try Data(contentsOf: url)
            data[data.count / 2] ^= 1
            try data.write(to: url)
        }
        #expect(code { _ = try folder.plan(expecting: hash.digest) } == .badInput)
        #expect(code { _ = try folder.jobs(ofShard: 0, in: plan) } == .badInput)
    }

    @Test("jobs are those that were hashed, even if the file of the shard changes afterwards")
    func changingShard() throws {
        let (folder, hash, jobs) = try write()
        let (plan, _) = try folder.plan(expecting: hash.digest)
        var reader = try folder.jobs(ofShard: 0, in: plan)
        try #require(truncate("\(folder.path)/jobs/00000.jsonl", 1) == 0)
        #expect(try reader.next() == jobs[0])
        #expect(try reader.next() == jobs[1])
        #expect(try reader.next() == nil)
    }

    @Test("a plan of a newer version is reported as such")
    func newer() throws {
        let (folder, hash, _) = try write { data in
            let text = String(decoding: data, as: UTF8.self)
            data = Data(text.replacingOccurrences(of: "\"work\":1}", with: "\"work\":2}").utf8)
        }
        #expect(throws: HostError.self) { _ = try folder.plan(expecting: hash.digest) }
        do {
            _ = try folder.plan(expecting: nil)
        } catch let error as HostError {
            #expect(error.code == .badInput && error.message.contains("newer version"))
        }
    }

    @Test(
        "links, pipes and folders in place of a plan or a shard are rejected",
        arguments: ["link", "pipe", "folder"])
    func kinds(_ kind: String) throws {
        let (folder, hash, _) = try write()
        let (plan, _) = try folder.plan(expecting: hash.digest)
        for name in ["jobs/00000.jsonl", "plan.json"] {
            let path = "\(folder.path)/\(name)"
            try #require(rename(path, path + ".old") == 0)
            let made =
                switch kind {
                case "link": symlink(path + ".old", path)
                case "pipe": mkfifo(path, 0o600)
                default: mkdir(path, 0o700)
                }
            try #require(made == 0)
        }
        #expect(code { _ = try folder.plan(expecting: hash.digest) } == .badInput)
        #expect(code { _ = try folder.jobs(ofShard: 0, in: plan) } == .badInput)
    }

    @Test("jobs with invalid indices, numbers and names are rejected")
    func jobs() throws {
        let text = String(decoding: try WorkFolder.encoded(Self.job()), as: UTF8.self)
        func isSound(_ old: String, _ new: String) -> Bool {
            #expect(text.contains(old), "\(old)")
            let changed = Data(text.replacingOccurrences(of: old, with: new).utf8)
            return (try? JSONDecoder().decode(WorkJob.self, from: changed))?.isSound ?? false
        }
        #expect(isSound("\"job\":17", "\"job\":18"))
        #expect(!isSound("\"job\":17", "\"job\":-1"))
        #expect(!isSound("\"job\":17", "\"job\":9223372036854775808"))
        #expect(!isSound("\"cost\":0.25", "\"cost\":-1"))
        #expect(!isSound("\"files\":[1]", "\"files\":[0]"))
        #expect(!isSound("\"files\":[1]", "\"files\":[2]"))
        #expect(!isSound("\"output\":0", "\"output\":1"))
        #expect(!isSound("\"input\":0", "\"input\":2"))
        #expect(!isSound("\"original\":0", "\"original\":1"))
        #expect(!isSound("\"steps\":[0]", "\"steps\":[-1]"))
        #expect(!isSound("\"size\":1000", "\"size\":-1000"))
        #expect(!isSound("\"asset\":\"0a\"", "\"asset\":\"0\\n\""))
        #expect(!isSound("\"recipe\":\"AAH/\"", "\"recipe\":\"\""))
    }

    @Test("results are read in order, and invalid lines are counted")
    func results() throws {
        let (folder, _, _) = try write()
        let attempt = try folder.makeFolder("results", "00000", "a1")
        let output = WorkOutcome.Output(
            edit: "e1", kind: .current, part: .photo, key: Self.hash("k"), sha256: Self.hash("f"),
            size: 10, width: 4, height: 3, duration: nil, format: .jpeg, omissions: ["x"])
        let first = [WorkOutcome(job: 18, outputs: [output], seconds: 0.5)]
        let second = [WorkOutcome(job: 17, .failed, code: "extensionFailed", reason: "no")]
        try folder.write(lines: second, as: "0001.jsonl", in: attempt)
        try folder.write(lines: first, as: "0000.jsonl", in: attempt)
        let invalid = """
            {"job":9223372036854775808,"status":"failed"}
            {"job":1,"status":"rendered"}
            {"job":1,"status":"failed","code":"x","reason":"y"}
            {"job":1
            """
        // Without renaming, the last file is visible before it is complete.
        try folder.write(Data(invalid.utf8), as: "0002.jsonl", in: attempt)
        let early = try folder.outcomes(ofShard: 0, attempt: "a1")
        #expect(early.outcomes == first + second && early.invalid == 0 && early.next == 2)
        try folder.write(Data((invalid + "\n").utf8), as: "0002.jsonl", in: attempt)
        try folder.write(Data(), as: "x.jsonl", in: attempt)
        let (outcomes, count, next) = try folder.outcomes(ofShard: 0, attempt: "a1")
        #expect(outcomes.prefix(2) == (first + second)[...] && outcomes.count == 3)
        #expect(count == 3 && next == 3)
        #expect(try folder.outcomes(ofShard: 0, attempt: "a1", from: 3).outcomes.isEmpty)
        #expect(try folder.attempts(atShard: 0) == ["a1"])
        #expect(try folder.shardsWithResults() == [0])
        for name in ["../00000/a1", "files", "committed", ".", ""] {
            #expect(try folder.outcomes(ofShard: 0, attempt: name).outcomes.isEmpty)
        }
    }

    @Test("results are read as far as there is room, and an unfinished file takes none")
    func partsOfResults() throws {
        let (folder, _, _) = try write()
        let attempt = try folder.makeFolder("results", "00000", "a1")
        for job in 0..<3 {
            let outcome = WorkOutcome(job: job, .failed, code: "x", reason: "y")
            try folder.write(lines: [outcome], as: WorkName.lineFile(job), in: attempt)
        }
        try folder.write(Data("{".utf8), as: WorkName.lineFile(3), in: attempt)
        for job in 0..<3 {
            var room = 1
            let read = try folder.outcomes(ofShard: 0, attempt: "a1", from: job, room: &room)
            #expect(read.outcomes.map(\.job) == [job] && read.next == job + 1 && room <= 0)
        }
        var room = 1
        let read = try folder.outcomes(ofShard: 0, attempt: "a1", from: 3, room: &room)
        #expect(read.outcomes.isEmpty && read.next == 3 && room == 1)
    }

    @Test("a folder with too many entries is not listed")
    func manyEntries() throws {
        let (folder, _, _) = try write()
        let shard = try folder.makeFolder("results", "00000")
        for name in ["a", "b", "c"] { try shard.makeFolderIfNeeded(name) }
        #expect(try folder.entries(of: shard, atMost: 3).map(\.name) == ["a", "b", "c"])
        let error = #expect(throws: HostError.self) {
            _ = try folder.entries(of: shard, atMost: 2)
        }
        #expect(error?.message.contains("more than 2 entries") == true)
    }

    @Test("a line of results that is too long does not fill the memory")
    func longLines() throws {
        let (folder, _, _) = try write()
        let attempt = try folder.makeFolder("results", "00000", "a1")
        for (number, size) in [10 << 20, 100 << 20].enumerated() {
            let line = Data(repeating: UInt8(ascii: "x"), count: size)
            try folder.write(line, as: WorkName.lineFile(number), in: attempt)
        }
        let read = try folder.outcomes(ofShard: 0, attempt: "a1")
        #expect(read.outcomes.isEmpty && read.invalid == 2 && read.next == 2)
    }

    @Test("records of attempts are read as they were written")
    func attempts() throws {
        let (folder, _, _) = try write()
        let inner = try folder.makeFolder("results", "00000", "a1")
        let begin = WorkAttempt(
            node: "n1", process: 7, began: 1.5, engineJob: "12_3", probe: .off)
        let end = WorkAttemptEnd(status: 69, reason: "libvips is 9, not 8", ended: 2)
        try folder.write(begin, as: "attempt.json", in: inner)
        try folder.write(end, as: "end.json", in: inner)
        try folder.write(WorkInFlight(jobs: [1]), as: "flight-0000.json", in: inner)
        try folder.write(WorkInFlight(jobs: [2, 3]), as: "flight-0001.json", in: inner)
        #expect(try folder.attempt("a1", atShard: 0) == begin)
        #expect(try folder.end(ofAttempt: "a1", atShard: 0) == end)
        #expect(try folder.jobsInFlight(ofAttempt: "a1", atShard: 0) == [2, 3])
        #expect(try folder.attempt("a2", atShard: 0) == nil)
    }

    @Test("budgets are written only if they differ from the built-in ones")
    func budgets() throws {
        var budgets = ExtensionBudgets()
        #expect(try WorkFolder.encoded(WorkBudgets(budgets)) == Data("{}".utf8))
        budgets.standard.processorSeconds = 7
        var own = budgets.standard
        own.wallClock = .seconds(9)
        budgets.extensions["org.example.slow"] = own
        let data = try WorkFolder.encoded(WorkBudgets(budgets))
        #expect(try JSONDecoder().decode(WorkBudgets.self, from: data).budgets == budgets)
        let unknown = Data("{\"default\":{\"memoryBytes\":-1}}".utf8)
        let decoded = try JSONDecoder().decode(WorkBudgets.self, from: unknown)
        #expect(throws: HostError.self) { _ = try decoded.budgets }
    }

    @Test("a file is written whole and replaces a file of the same name")
    func wholeFiles() throws {
        let folder = try WorkFolder.create(at: folder.get().file("work"))
        try folder.write(Data("one".utf8), as: "a", in: folder.root)
        try folder.write(Data("two".utf8), as: "a", in: folder.root)
        #expect(try folder.root.names() == ["a"])
        let url = URL(fileURLWithPath: folder.path + "/a")
        #expect(try Data(contentsOf: url) == Data("two".utf8))
        struct Stop: Error {}
        #expect(throws: Stop.self) { try folder.root.writeAtomically("b") { _ in throw Stop() } }
        #expect(try folder.root.names() == ["a"])
    }

    @Test("a file that must not be replaced is kept, and the next number is taken")
    func newFiles() throws {
        let folder = try WorkFolder.create(at: folder.get().file("work"))
        try folder.write(Data("one".utf8), as: "0003.jsonl", in: folder.root)
        let error = #expect(throws: SystemError.self) {
            try folder.root.writeAtomically("0003.jsonl", replacing: false) {
                try $0.append(Data("two".utf8))
            }
        }
        #expect(error?.number == EEXIST)
        let line = WorkCommitment(job: 1, attempt: "a", status: .committed)
        try folder.write(lines: [line], from: 3, in: folder.root)
        #expect(try folder.root.names().sorted() == ["0003.jsonl", "0004.jsonl"])
        func content(_ name: String) throws -> Data {
            try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)"))
        }
        #expect(try content("0003.jsonl") == Data("one".utf8))
        #expect(try content("0004.jsonl") == WorkFolder.line(line))
    }

    @Test("concurrent records of one folder are all kept")
    func concurrentRecords() async throws {
        let folder = try WorkFolder.create(at: folder.get().file("work"))
        let records = try folder.makeFolder("results", "00000", "committed")
        await withThrowingTaskGroup(of: Void.self) { group in
            for job in 0..<12 {
                group.addTask {
                    let line = WorkCommitment(job: job, attempt: "a", status: .committed)
                    try folder.write(lines: [line], from: 0, in: records)
                }
            }
            await #expect(throws: Never.self) { try await group.waitForAll() }
        }
        let read = try folder.commitments(ofShard: 0)
        #expect(read.commitments.map(\.job).sorted() == Array(0..<12))
        #expect(read.invalid == 0 && read.next == 12)
    }

    @Test("differences between the software of a plan and of a node are named")
    func environments() {
        let planned = Self.plan(Data(), count: 1).environment
        #expect(planned.differences(on: planned).isEmpty)
        let other = WorkEnvironment(
            edithost: "0.1.0", rendering: 3, machine: "x86_64", vips: "8.15", codecs: [:],
            media: nil)
        #expect(
            planned.differences(on: other) == [
                "libvips is 8.15, not 8.14.1", "libheif is missing, not 1.15.1",
            ])
    }
}
