// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import Library

/// Random edits, moves, deletions and garbage collections, compared with a model in memory.
struct CollectionModel {
    /// The expected state of an asset.
    private struct Item {
        let id: String
        let original: String
        /// The recipe chain of each state.
        var states: [[String]] = []
        var position = 0
    }

    private let library: PhotoLibrary
    private var items: [Item] = []
    private var generator: SeededGenerator
    private var names = 0

    init(_ library: PhotoLibrary, seed: UInt64) throws {
        self.library = library
        generator = SeededGenerator(seed: seed)
        for _ in 0..<4 { try add() }
    }

    private mutating func add() throws {
        names += 1
        let original = "photograph \(names)"
        items.append(Item(id: try library.importAsset(original).id, original: original))
    }

    /// Runs random steps. Returns the differences from the model, which is compared at intervals.
    mutating func run(steps: Int, checkingEvery interval: Int) throws -> [String] {
        for step in 1...steps {
            try act(step)
            guard step % interval == 0 || step == steps else { continue }
            let problems = try compare()
            if !problems.isEmpty { return problems.map { "step \(step): \($0)" } }
        }
        return []
    }

    private mutating func act(_ step: Int) throws {
        let index = Int.random(in: items.indices, using: &generator)
        let asset = try library.asset(withLocalIdentifier: items[index].id)
        func change(_ body: (AssetChangeRequest) throws -> Void) throws {
            try library.performChanges { try body(AssetChangeRequest(for: asset)) }
        }
        let item = items[index]
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<9: try edit(index, recipe: "recipe \(step % 13)")
        case 9..<11 where item.position > 0:
            let target = item.position - 1
            let rendered = try rendered(item, target)
            try change { try $0.undo(rendered: rendered) }
            items[index].position = target
        case 11..<13 where item.position < item.states.count:
            let rendered = try rendered(item, item.position + 1)
            try change { try $0.redo(rendered: rendered) }
            items[index].position += 1
        case 13:
            try change { try $0.revertAssetContentToOriginal() }
            items[index].position = 0
        case 14:
            try library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
            items.remove(at: index)
            try add()
        case 15..<18: _ = try library.prune(keep: step % 3)
        case 18: _ = try library.prune(emptyingTrash: true)
        default: break
        }
    }

    /// The rendition of a pruned state, re-rendered as the host would.
    private func rendered(_ item: Item, _ position: Int) throws -> RenderedContent? {
        guard position > 0, let recipe = item.states[position - 1].last else { return nil }
        return try library.render("render of \(recipe)")
    }

    private mutating func edit(_ index: Int, recipe: String) throws {
        let item = items[index]
        let chain = item.position == 0 ? [] : item.states[item.position - 1]
        let replaces = !chain.isEmpty && Bool.random(using: &generator)
        // The same recipe again would not be a change.
        guard !replaces || chain.last != recipe else { return }
        try library.edit(
            item.id, replaces ? .replacingLast : .appending, recipe: recipe,
            render: "render of \(recipe)")
        let kept = replaces ? Array(chain.dropLast()) : chain
        items[index].states = Array(item.states.prefix(item.position)) + [kept + [recipe]]
        items[index].position += 1
    }

    /// The differences between the library and the model.
    private func compare() throws -> [String] {
        let report = try library.check(readingDataOf: 100)
        var problems = report.severity == .clean ? [] : ["\(report.findings)"]
        for item in items {
            let history = try library.history(ofAsset: item.id)
            if try library.text(history.original?.blob) != item.original {
                problems.append("\(item.original): another original")
            }
            let states = history.states.map { state in
                state.chain.map { String(decoding: $0.adjustmentData.data, as: UTF8.self) }
            }
            if states != item.states || history.position != item.position {
                problems.append("\(item.original): \(states) at \(history.position)")
            }
            for edit in history.states.compactMap(\.tip) {
                guard let current = edit.current else { continue }
                let recipe = String(decoding: edit.adjustmentData.data, as: UTF8.self)
                if try library.text(current.blob) != "render of \(recipe)" {
                    problems.append("\(item.original): \(recipe) has another's rendition")
                }
            }
            if history.position > 0, history.chain.last?.current == nil {
                problems.append("\(item.original): what it shows is not stored")
            }
        }
        if try Asset.fetchAssets(in: library).count != items.count { problems.append("assets") }
        return problems
    }
}

@Suite("garbage collection")
struct CollectionTests {
    static func run(steps: Int) throws {
        let folder = try TemporaryFolder(isInMemory: true)
        let library = try PhotoLibrary.create(at: folder.file("Model.editlibrary"))
        let seed = TestSeed.seed()
        var model = try CollectionModel(library, seed: seed)
        #expect(try model.run(steps: steps, checkingEvery: 20) == [], "seed \(seed)")
        _ = try library.prune(emptyingTrash: true)
        #expect(
            try BlobInventory(of: library.root).files.count == library.check().fileCount)
    }

    @Test("1,000 random steps never collect a file in use")
    func thousandSteps() throws { try Self.run(steps: 1000) }

    @Test("yesterday's database and a collection lose no original")
    func oldDatabase() throws {
        let temporary = try TemporaryLibrary()
        let layout = temporary.library.layout
        let kept = try temporary.library.importAsset("kept")
        let deleted = try temporary.library.importAsset("deleted today")
        try temporary.library.edit(kept.id, recipe: "old", render: "render of old")
        try temporary.library.close()
        let backup = temporary.folder + "/yesterday.sqlite"
        try FileManager.default.copyItem(atPath: layout.database, toPath: backup)
        do {
            let today = try temporary.reopen()
            for number in 0..<3 { try today.importAsset("today \(number)") }
            try today.edit(kept.id, recipe: "new", render: "render of new")
            try today.performChanges { try AssetChangeRequest.removeAssets([deleted]) }
            _ = try today.prune()
            try today.close()
        }
        for suffix in ["", "-wal", "-shm"] { try Folders.removeFile(layout.database + suffix) }
        try FileManager.default.copyItem(atPath: backup, toPath: layout.database)

        let library = try temporary.reopen()
        let report = try library.prune()
        #expect(report.fileCount == 0 && report.trashedCount == 4)
        // Files that are missing according to yesterday's database are in the trash, and are
        // restored.
        #expect(
            try Set(library.check().findings.map(\.kind)) == [.originalMissing, .renditionMissing])
        #expect(try library.repair(library.check()).contains(.restored))
        let texts = try
            (UnusedFilesFolder(root: library.root).files() + BlobInventory(of: library.root).files)
            .map { try String(contentsOfFile: $0.path, encoding: .utf8) }
        for original in ["kept", "deleted today", "today 0", "today 1", "today 2"] {
            #expect(texts.contains(original))
        }
        // Importing the files that the old database lacks repairs the library.
        for number in 0..<3 { try library.importAsset("today \(number)") }
        #expect(try library.check(readingDataOf: 100).findings.allSatisfy(\.isRepairable))
    }

    @Test("the trash keeps files for 30 days unless emptied")
    func trash() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("deleted")
        try library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
        #expect(try library.prune().trashedCount == 1)
        let trash = UnusedFilesFolder(root: library.root)
        #expect(try trash.files().count == 1)
        let day = 86_400.0
        #expect(try trash.empty(all: false, known: [], date: Date() + 29 * day).count == 0)
        #expect(try trash.empty(all: false, known: [], date: Date() + 32 * day).count == 1)
        #expect(try trash.files().isEmpty)
        let other = try library.importAsset("another")
        try library.performChanges { try AssetChangeRequest.removeAssets([other]) }
        let report = try library.prune(emptyingTrash: true)
        #expect(report.fileCount == 1 && report.byteCount == "another".utf8.count)
        #expect(try trash.files().isEmpty)
    }
}

@Suite("garbage collection, exhaustive", .torture)
struct CollectionTorture {
    @Test("10,000 random steps never collect a file in use")
    func tenThousandSteps() throws { try CollectionTests.run(steps: 10_000) }
}
