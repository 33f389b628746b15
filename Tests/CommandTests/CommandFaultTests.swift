// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import TestSupport
import Testing

/// Injects a fault at every call by which the built command changes the library. Its runners are
/// not affected: their environment does not preload the fault library.
struct CommandFaults {
    static let tasks = [
        ["import", "PICTURE"], ["edit", "ID", "--with", "sepia", "--set", "intensity=0.9"],
        ["undo", "ID"], ["revert", "ID"], ["rerender", "ID", "--force"], ["prune"],
        ["check", "--repair"], ["import", "--move", "CARD"],
    ]
    private static let preloaded = Result { try PreloadedFaults.build() }

    /// The state of an asset that is compared.
    private struct Item: Equatable {
        /// The original and its companions.
        let files: [SHA256Digest?]
        let position: Int
        let recipes: [[Data]]
        let renditions: [SHA256Digest?]
    }

    let task: [String]
    private let bench: Workbench
    private let before: [Item]
    private let after: [Item]
    /// The number of system calls at which a fault can be injected.
    let count: Int

    init(_ task: [String]) throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        for intensity in ["0.3", "0.8"] {
            _ = try bench.json(
                "edit", ids[0], "--with", "sepia", "--set", "intensity=\(intensity)")
        }
        let picture = try bench.picture(seed: 7)
        self.bench = bench
        self.task = task.map { $0 == "ID" ? ids[0] : $0 == "PICTURE" ? picture : $0 }
        before = try Self.items(at: bench.folder.file("Photos.editlibrary"))
        let copy = try Self.copy(bench)
        let counter = bench.folder.file("count")
        let result = try Self.run(
            self.task, bench, copy, try Self.card(bench), ["FAULT_COUNT": counter])
        try #require(result.status == 0, "\(result.errors)")
        after = try Self.items(at: copy)
        count =
            Int(
                try String(contentsOfFile: counter, encoding: .utf8)
                    .trimmingCharacters(in: .newlines)) ?? 0
    }

    private static func copy(_ bench: Workbench) throws -> String {
        let copy = bench.folder.file("copy-\(UUID()).editlibrary")
        try FileManager.default.copyItem(
            atPath: bench.folder.file("Photos.editlibrary"), toPath: copy)
        return copy
    }

    /// A JPEG and its RAW file, as from a camera's memory card.
    private static func card(_ bench: Workbench) throws -> String {
        let name = "card-\(UUID())"
        try FileManager.default.createDirectory(
            atPath: bench.folder.file(name), withIntermediateDirectories: true)
        try bench.folder.write(TestPicture.gradient(seed: 9).encoded("jpeg"), to: name + "/1.JPG")
        try bench.folder.write(Data("FUJIFILMCCD-RAW".utf8), to: name + "/1.RAF")
        return bench.folder.file(name)
    }

    private static func run(
        _ task: [String], _ bench: Workbench, _ library: String, _ card: String,
        _ faults: [String: String]
    ) throws -> ProcessResult {
        let task = task.map { $0 == "CARD" ? card : $0 }
        var environment = bench.environment(["EDITHOST_LIBRARY": library])
        environment.merge(faults) { $1 }
        environment["LD_PRELOAD"] = try preloaded.get()
        environment["FAULT_ROOT"] = library
        return try runProgram(Workbench.command, task, environment: environment)
    }

    private static func items(at path: String) throws -> [Item] {
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        return try items(of: PhotoLibrary.open(at: path, options: options))
    }

    private static func items(of library: PhotoLibrary) throws -> [Item] {
        try Asset.fetchAssets(in: library).map { asset in
            let history = try library.history(ofAsset: asset.localIdentifier)
            return Item(
                files: history.originals.map(\.blob), position: history.position,
                recipes: history.states.map { $0.chain.map(\.adjustmentData.data) },
                renditions: history.states.map { $0.tip?.current?.blob })
        }.sorted { $0.files[0]?.hex ?? "" < $1.files[0]?.hex ?? "" }
    }

    /// Injects a fault at every `stride`-th call. Returns the number of faults and the complaints.
    func run(_ fault: String, every stride: Int) throws -> (points: Int, complaints: [String]) {
        var points = 0
        var complaints: [String] = []
        for number in Swift.stride(from: 1, through: count, by: stride) {
            let copy = try Self.copy(bench)
            let card = try Self.card(bench)
            defer {
                try? FileManager.default.removeItem(atPath: copy)
                try? FileManager.default.removeItem(atPath: card)
            }
            let result = try Self.run(
                task, bench, copy, card, ["FAULT_AT": "\(number)", "FAULT_KIND": fault])
            points += 1
            let left = try FileManager.default.contentsOfDirectory(atPath: card).count
            if let complaint = complaint(
                about: copy, hasSucceeded: result.status == 0, filesLeft: left)
            {
                complaints.append("\(fault) at \(number): \(complaint); \(result.errors)")
            }
        }
        return (points, complaints)
    }

    private func complaint(
        about path: String, hasSucceeded: Bool, filesLeft: Int
    ) -> String? {
        do {
            let library = try PhotoLibrary.open(at: path)
            let report = try library.check(readingDataOf: 100)
            if report.severity > .repairable { return "\(report.findings)" }
            let now = try Self.items(of: library)
            if now == before, filesLeft < 2 { return "a file was lost" }
            if hasSucceeded, now != after { return "said done, but is not" }
            return now == before || now == after ? nil : "neither state: \(now)"
        } catch {
            return "\(error)"
        }
    }
}

@Suite("fault injection into commands")
struct CommandFaultTests {
    @Test(
        "edit and import --move survive kills and failures at sampled system calls",
        arguments: [CommandFaults.tasks[1], CommandFaults.tasks[7]], ["kill", "ENOSPC"])
    func sample(task: [String], fault: String) throws {
        let faults = try CommandFaults(task)
        let (points, complaints) = try faults.run(fault, every: 20)
        print("edithost \(task[0]): \(points) of \(faults.count) points, \(fault)")
        #expect(faults.count >= 30)
        #expect(complaints == [])
    }
}

@Suite(
    "fault injection into commands, exhaustive", .serialized,
    .torture)
struct CommandFaultTorture {
    @Test(
        "every edithost verb survives kills and failures", arguments: CommandFaults.tasks,
        ["kill", "EIO", "ENOSPC"])
    func everywhere(task: [String], fault: String) throws {
        let faults = try CommandFaults(task)
        let isThorough = fault == "kill" && ["import", "edit"].contains(task[0])
        let (points, complaints) = try faults.run(fault, every: isThorough ? 1 : 3)
        print(
            "edithost \(task[0]): \(points) of \(faults.count) points, \(fault), "
                + "\(complaints.count) broken")
        #expect(complaints == [])
    }
}
