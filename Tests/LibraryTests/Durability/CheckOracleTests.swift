// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Library

/// The results of `check` and `repair` for every kind of damage.
@Suite("check and repair")
struct CheckOracleTests {
    private let temporary: TemporaryLibrary
    private let library: PhotoLibrary
    private let asset: Asset
    private let original: String
    /// The renditions of the first state and of the current state.
    private let renditions: [String]

    init() throws {
        temporary = try TemporaryLibrary()
        library = temporary.library
        asset = try library.importAsset("original")
        for recipe in ["one", "two"] {
            try library.edit(asset.id, recipe: recipe, render: "render of \(recipe)")
        }
        let history = try library.history(ofAsset: asset.id)
        original = library.layout.blob(try #require(history.original?.blob))
        let layout = library.layout
        renditions = try history.chain.map { layout.blob(try #require($0.current?.blob)) }
    }

    private func expect(
        _ kind: CheckReport.Kind, _ severity: CheckReport.Severity, repairable: Bool,
        at path: String?, of id: String?, canRender: @escaping ([Edit]) -> Bool = { _ in true },
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let report = try library.check(readingDataOf: 100, canRender: canRender)
        let found = report.findings
        #expect(found.map(\.kind) == [kind], sourceLocation: sourceLocation)
        #expect(report.severity == severity, sourceLocation: sourceLocation)
        #expect(found.first?.isRepairable == repairable, sourceLocation: sourceLocation)
        #expect(found.first?.path == path, sourceLocation: sourceLocation)
        #expect(found.first?.assetIdentifier == id, sourceLocation: sourceLocation)
    }

    private func flip(_ path: String) throws {
        chmod(path, 0o644)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        chmod(path, 0o444)
    }

    @Test("one flipped byte of an original is damage; repair quarantines the file")
    func flippedOriginal() throws {
        try flip(original)
        let damaged = try Data(contentsOf: URL(fileURLWithPath: original))
        #expect(try library.check().severity == .clean)
        try expect(.originalDamaged, .damage, repairable: false, at: original, of: asset.id)
        let report = try library.check(readingDataOf: 100)
        #expect(try library.repair(report) == [.setAside])
        let aside = library.layout.quarantine + "/" + (original as NSString).lastPathComponent
        #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == damaged)
        try expect(.originalMissing, .damage, repairable: false, at: original, of: asset.id)
        // The row is kept. Repair cannot restore the original, but importing the same file does.
        #expect(try library.repair(library.check()) == [.none])
        try library.importAsset("other")
        let blob = try library.stage("original")
        try library.performChanges { _ = try AssetCreationRequest.photo(blob, .sample()) }
        #expect(try library.check(readingDataOf: 100).severity == .clean)
        #expect(try Asset.fetchAssets(in: library).count == 2)
    }

    @Test("one flipped byte of a rendition is repairable only if it can be re-rendered")
    func flippedRendition() throws {
        try flip(renditions[1])
        try expect(.renditionDamaged, .damage, repairable: true, at: renditions[1], of: asset.id)
        let lost = try library.check(readingDataOf: 100, canRender: { _ in false })
        #expect(lost.findings.map(\.isRepairable) == [false])
        // A rendition that cannot be re-rendered is left in place.
        #expect(try library.repair(lost) == [.none])
        #expect(try Folders.status(renditions[1]) != nil)
        #expect(try library.repair(library.check(readingDataOf: 100)) == [.setAside])
        try expect(.renditionMissing, .damage, repairable: true, at: renditions[1], of: asset.id)
        // A rendition of a state that is not current is not damage if it can be re-rendered.
        try library.performChanges {
            try AssetChangeRequest(for: library.asset(withLocalIdentifier: asset.id)).undo()
        }
        try expect(
            .renditionMissing, .repairable, repairable: true, at: renditions[1], of: asset.id)
        try expect(
            .renditionMissing, .damage, repairable: false, at: renditions[1], of: asset.id,
            canRender: { _ in false })
    }

    @Test("a rendition of a lost original cannot be re-rendered")
    func bothLost() throws {
        try Folders.removeFile(original)
        try Folders.removeFile(renditions[0])
        let report = try library.check()
        #expect(Set(report.findings.map(\.kind)) == [.originalMissing, .renditionMissing])
        #expect(report.findings.allSatisfy { $0.severity == .damage && !$0.isRepairable })
    }

    @Test("a changed recipe is reported by asset and edit")
    func flippedRecipe() throws {
        try RichLibrary.execute(on: library.path) { database in
            try database.execute(
                sql: "UPDATE edit SET adjustment_data = CAST('onf' AS BLOB) WHERE id = 1")
        }
        try expect(
            .recipeDamaged, .damage, repairable: false, at: library.layout.database, of: asset.id)
        #expect(try library.repair(library.check()) == [.none])
    }

    @Test("an orphan is trashed, a wrong mode corrected and a leftover removed")
    func leftovers() throws {
        let orphan = SHA256Digest.sample("orphan")
        try Folders.makeIfNeeded(library.layout.shard(of: orphan))
        try Data("orphan".utf8).write(to: URL(fileURLWithPath: library.layout.blob(orphan)))
        try expect(
            .orphan, .repairable, repairable: true, at: library.layout.blob(orphan), of: nil)
        #expect(try library.repair(library.check()) == [.trashed])
        #expect(try UnusedFilesFolder(root: library.root).files().map(\.name) == [orphan.hex])
        #expect(try library.check().trashedCount == 1)
        chmod(original, 0o644)
        try expect(.wrongMode, .repairable, repairable: true, at: original, of: asset.id)
        #expect(try library.repair(library.check()) == [.repaired])
        #expect(try Folders.status(original)?.permissions == 0o444)
        let dead = library.layout.staging + "/" + .deadSession
        try Folders.make(dead)
        try expect(.leftover, .notice, repairable: true, at: dead, of: nil)
        #expect(try library.repair(library.check()) == [.repaired])
        let removing = library.layout.trash + "/removing"
        try Folders.make(removing)
        try expect(.leftover, .repairable, repairable: true, at: removing, of: nil)
        #expect(try library.repair(library.check()) == [.repaired])
        #expect(try library.check(readingDataOf: 100).severity == .clean)
    }

    @Test("swapped files are both reported")
    func swapped() throws {
        let spare = temporary.folder + "/spare"
        try FileManager.default.moveItem(atPath: renditions[0], toPath: spare)
        try FileManager.default.moveItem(atPath: renditions[1], toPath: renditions[0])
        try FileManager.default.moveItem(atPath: spare, toPath: renditions[1])
        let report = try library.check(readingDataOf: 100)
        #expect(report.findings.map(\.kind) == [.renditionDamaged, .renditionDamaged])
        #expect(Set(report.findings.compactMap(\.path)) == Set(renditions))
        // Each file has the other's name. Renaming would repair them, but `repair` does not rely on
        // that.
        #expect(try library.repair(report) == [.setAside, .setAside])
    }

    @Test("a missing file is restored from the trash if intact")
    func restored() throws {
        let name = (original as NSString).lastPathComponent
        let day = library.layout.trash + "/" + UnusedFilesFolder.name(of: Date())
        try FileManager.default.createDirectory(
            atPath: day, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: original, toPath: day + "/" + name)
        try expect(.originalMissing, .damage, repairable: false, at: original, of: asset.id)
        #expect(try library.repair(library.check()) == [.restored])
        #expect(try library.check(readingDataOf: 100).severity == .clean)
        try FileManager.default.moveItem(atPath: original, toPath: day + "/" + name)
        try flip(day + "/" + name)
        #expect(try library.repair(library.check()) == [.none])
    }

    @Test("a truncated log loses only the last commits")
    func truncatedLog() throws {
        try library.edit(asset.id, recipe: "three", render: "render of three")
        let copy = temporary.folder + "/Copy.editlibrary"
        try FileManager.default.copyItem(atPath: temporary.path, toPath: copy)
        let log = copy + "/library.sqlite-wal"
        let size = try #require(try Folders.status(log)?.st_size)
        #expect(truncate(log, size - 1000) == 0)
        try? FileManager.default.removeItem(atPath: copy + "/library.sqlite-shm")
        let cut = try PhotoLibrary.open(at: copy)
        let report = try cut.check(readingDataOf: 100)
        #expect(report.findings.map(\.kind) == [.orphan])
        #expect(try cut.history(ofAsset: asset.id).position == 2)
        #expect(try LibrarySnapshot(of: cut).mismatches == [])
    }

    @Test("a damaged database is reported and nothing is repaired")
    func damagedDatabase() throws {
        try RichLibrary.execute(on: library.path) { database in
            try database.execute(
                sql: "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'rendition_blob'")
        }
        let reopened = try temporary.reopen()
        let report = try reopened.check()
        #expect(report.findings.allSatisfy { $0.kind == .databaseDamaged })
        #expect(report.severity == .damage)
        #expect(try libraryError { _ = try reopened.repair(report) }.code == .damaged)
    }

    @Test("repair does not wait for a committing process")
    func busy() throws {
        chmod(original, 0o644)
        let report = try library.check()
        let committing = try LibraryLock(library.root, exclusively: false, waiting: 0)
        #expect(try libraryError { _ = try library.repair(report) }.code == .busy)
        withExtendedLifetime(committing) {}
    }
}
