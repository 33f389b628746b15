// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Library

@Suite struct MaintenanceTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary
    private let asset: Asset
    private let original: String
    private let rendition: String

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
        asset = try library.importAsset("original")
        try library.edit(asset.id, recipe: "a", render: "after a")
        let history = try library.history(ofAsset: asset.id)
        original = library.layout.blob(try #require(history.original?.blob))
        rendition = library.layout.blob(try #require(history.chain.first?.current?.blob))
    }

    /// The only finding of a check that reads all data.
    private func finding() throws -> CheckReport.Finding {
        let report = try library.check(readingDataOf: 100)
        #expect(report.findings.count == 1)
        return try #require(report.findings.first)
    }

    private func write(_ text: String, to path: String) throws {
        chmod(path, 0o644)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o444)
    }

    @Test("an intact library is clean")
    func aGoodLibraryIsClean() throws {
        let report = try library.check(readingDataOf: 100)
        #expect(report.severity == .clean && report.findings.isEmpty)
        #expect(report.fileCount == 2 && report.readCount == 2 && report.unusedCount == 0)
        #expect(try library.check().readCount == 0)
    }

    @Test("missing files are damage")
    func missingFilesAreDamage() throws {
        try Folders.removeFile(rendition)
        #expect(try finding().kind == .renditionMissing)
        #expect(try finding().assetIdentifier == asset.id)
        #expect(try finding().path == rendition)
        #expect(try library.check().severity == .damage)
        try Folders.removeFile(original)
        #expect(
            try Set(library.check().findings.map(\.kind)) == [.originalMissing, .renditionMissing])
    }

    @Test("changed files are damage")
    func changedFilesAreDamage() throws {
        try write("0riginal", to: original)
        #expect(try finding().kind == .originalDamaged)
        #expect(try finding().severity == .damage)
        #expect(try library.check().severity == .clean)
        try write("longer than it was", to: original)
        #expect(try finding().kind == .originalDamaged)
        #expect(try finding().assetIdentifier == asset.id)
    }

    @Test("swapped files are damage")
    func swappedFilesAreDamage() throws {
        try write("after a", to: original)
        try write("original", to: rendition)
        #expect(
            try Set(library.check(readingDataOf: 100).findings.map(\.kind))
                == [.originalDamaged, .renditionDamaged])
    }

    @Test("leftovers are repairable")
    func leftoversAreRepairable() throws {
        chmod(rendition, 0o644)
        #expect(try finding().kind == .wrongMode)
        chmod(rendition, 0o444)
        let orphan = library.layout.blob(.sample("orphan"))
        try Folders.makeIfNeeded(library.layout.shard(of: .sample("orphan")))
        try write("orphan", to: orphan)
        #expect(try finding().kind == .orphan)
        #expect(try finding().path == orphan)
        #expect(try library.check().severity == .repairable)
        #expect(try library.prune().trashedCount == 1)
        #expect(try library.check().severity == .clean)
        try Folders.make(library.layout.staging + "/" + .deadSession)
        #expect(try finding().kind == .leftover)
    }

    @Test("a damaged database is reported, and nothing is collected")
    func aDamagedDatabaseIsDamageAndNothingIsCollected() throws {
        let layout = library.layout
        let orphan = layout.blob(.sample("orphan"))
        try Folders.makeIfNeeded(layout.shard(of: .sample("orphan")))
        try write("orphan", to: orphan)
        try RichLibrary.execute(on: library.path) { database in
            // An index without its rows, which SQLite's check must detect.
            try database.execute(
                sql: "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'rendition_blob'")
        }
        var options = PhotoLibrary.Options()
        options.checksAfterUncleanClose = false
        let reopened = try temporary.reopen(options)
        #expect(try reopened.check().severity == .damage)
        let error = try libraryError { _ = try reopened.prune() }
        #expect(error.code == .damaged)
        #expect(try Folders.status(orphan) != nil)
        // After an unclean close, opening the library detects the damage.
        try Folders.make(layout.staging + "/" + .deadSession)
        #expect(try libraryError { _ = try temporary.reopen() }.code == .damaged)
    }

    @Test("prune keeps renditions that cannot be re-rendered")
    func pruningKeepsWhatCannotBeHadAgain() throws {
        try library.edit(asset.id, recipe: "b", render: "after b")
        try library.edit(asset.id, recipe: "c", render: "after c")
        // An edit made by an application cannot be re-rendered.
        var output = try library.output(asset.id, recipe: "app", render: "after app")
        output.editingExtension = nil
        try library.performChanges {
            try AssetChangeRequest(for: output.input.asset).contentEditingOutput = output
        }
        try library.edit(asset.id, recipe: "d", render: "after d")
        try library.edit(asset.id, recipe: "e", render: "after e")
        func stored() throws -> [String?] {
            try library.history(ofAsset: asset.id).chain.map { edit in
                try edit.current.map { try library.text($0.blob) }
            }
        }
        let all = ["after a", "after b", "after c", "after app", "after d", "after e"]
        #expect(try stored() == all)
        #expect(try library.prune(canRender: { _ in false }) == PruneReport())
        #expect(try library.prune(olderThan: .distantPast) == PruneReport())
        #expect(try library.prune(keep: 5) == PruneReport())
        #expect(try library.prune(keep: 4).renditionCount == 1)
        #expect(try stored() == [nil, "after b", "after c", "after app", "after d", "after e"])
        let report = try library.prune()
        #expect(report.renditionCount == 2 && report.fileCount == 2)
        #expect(report.byteCount == "after b".utf8.count + "after c".utf8.count)
        // "after d" depends on an edit that cannot be re-rendered and has no lossless base.
        #expect(try stored() == [nil, nil, nil, "after app", "after d", "after e"])
        #expect(try library.text(library.history(ofAsset: asset.id).original?.blob) == "original")
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test("prune keeps lossless bases, and the other renditions can go")
    func basesAreNeverPrunedAndLetOthersGo() throws {
        var output = try library.output(asset.id, recipe: "app", render: "after app")
        output.editingExtension = nil
        output.baseRenditions[2] = try library.render("lossless app")
        try library.performChanges {
            try AssetChangeRequest(for: output.input.asset).contentEditingOutput = output
        }
        try library.edit(asset.id, recipe: "d", render: "after d")
        try library.edit(asset.id, recipe: "e", render: "after e")
        #expect(try library.prune().renditionCount == 3)
        let chain = try library.history(ofAsset: asset.id).chain
        #expect(chain.map { $0.current != nil } == [false, false, false, true])
        #expect(try library.text(chain[1].base?.blob) == "lossless app")
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test("prune keeps files if the database knows too few of them")
    func aDatabaseThatKnowsTooLittleLosesNoFiles() throws {
        for number in 0..<150 {
            let unknown = SHA256Digest.sample("unknown-\(number)")
            try Folders.makeIfNeeded(library.layout.shard(of: unknown))
            try write("\(number)", to: library.layout.blob(unknown))
        }
        let report = try library.prune()
        #expect(report.suspectCount == 150 && report.fileCount == 0)
        #expect(try library.check().findings.count == 150)
    }

    @Test("renditions of many discarded edits go to the trash")
    func discarded() throws {
        for round in 0..<105 {
            try library.edit(asset.id, recipe: "\(round)", render: "discarded \(round)")
            let now = try library.asset(withLocalIdentifier: asset.id)
            try library.performChanges { try AssetChangeRequest(for: now).undo() }
        }
        try library.edit(asset.id, recipe: "last", render: "after last")
        let report = try library.prune()
        #expect(report.suspectCount == 0 && report.trashedCount == 105)
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test(
        "discarded renditions go while files of a newer database stay"
    )
    func discardedBesideForeign() throws {
        for number in 0..<150 {
            let unknown = SHA256Digest.sample("unknown-\(number)")
            try Folders.makeIfNeeded(library.layout.shard(of: unknown))
            try write("\(number)", to: library.layout.blob(unknown))
        }
        try library.edit(asset.id, recipe: "b", render: "discarded")
        let now = try library.asset(withLocalIdentifier: asset.id)
        try library.performChanges { try AssetChangeRequest(for: now).undo() }
        try library.edit(asset.id, recipe: "c", render: "after c")
        let report = try library.prune(emptyingTrash: true)
        #expect(report.suspectCount == 150 && report.trashedCount == 1)
        #expect(try library.check().findings.count == 150)
    }

    @Test("prune does not wait for a committing process")
    func pruningWaitsForNobodyWhoIsCommitting() throws {
        let committing = try LibraryLock(library.root, exclusively: false, waiting: 0)
        #expect(try libraryError { _ = try library.prune() }.code == .busy)
        withExtendedLifetime(committing) {}
    }

    @Test("random edits, undos, deletions and prunes never lose a file in use")
    func randomSteps() throws {
        let seed = TestSeed.seed()
        var generator = SeededGenerator(seed: seed)
        var ids = try (0..<4).map { try library.importAsset("photo \($0)").id }
        var failures: [String] = []
        for step in 0..<120 {
            let id = try #require(ids.randomElement(using: &generator))
            let now = try library.asset(withLocalIdentifier: id)
            do {
                switch Int.random(in: 0..<10, using: &generator) {
                case 0..<4: try library.edit(id, recipe: "\(step)", render: "after \(step % 7)")
                case 4: try library.performChanges { try AssetChangeRequest(for: now).undo() }
                case 5: try library.performChanges { try AssetChangeRequest(for: now).redo() }
                case 6:
                    try library.performChanges {
                        try AssetChangeRequest(for: now).revertAssetContentToOriginal()
                    }
                case 7:
                    try library.performChanges { try AssetChangeRequest.removeAssets([now]) }
                    ids.removeAll { $0 == id }
                    ids.append(try library.importAsset("photo again \(step)").id)
                default: _ = try library.prune(keep: step % 3)
                }
            } catch let error as LibraryError
                where [.nothingToUndo, .nothingToRedo, .renditionMissing].contains(error.code)
            {
                continue
            }
            let report = try library.check(readingDataOf: 100)
            if report.severity != .clean { failures.append("step \(step): \(report.findings)") }
        }
        #expect(failures == [], "seed \(seed)")
        _ = try library.prune()
        #expect(
            try BlobInventory(of: library.root).files.count == library.check().fileCount)
    }
}
