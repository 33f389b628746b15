// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import Library

@Suite struct EditingTests {
    @Test("A-06 K-02 previous, current and last recipe can be read back")
    func previousAndCurrent() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let id = try library.importAsset("original").localIdentifier

        let first = try library.edit(id, recipe: "one", render: "after one")
        #expect(first.adjustmentFormatIdentifier == "org.example.filter")
        var history = try library.history(ofAsset: id)
        #expect(try library.text(history.original?.blob) == "original")
        #expect(history.chain.map(\.adjustmentData) == [try .sample("one")])
        #expect(try library.text(history.currentState?.tip?.current?.blob) == "after one")

        try library.edit(id, recipe: "two", render: "after two")
        history = try library.history(ofAsset: id)
        #expect(history.chain.count == 2)
        #expect(history.chain.last?.adjustmentData == (try .sample("two")))
        #expect(history.chain.last?.editingExtension == .sample)
        #expect(history.chain.last?.parentIdentifier == history.chain.first?.identifier)
        #expect(try library.text(history.chain.last?.current?.blob) == "after two")
        // The previous version is the input of the second edit.
        #expect(try library.text(history.chain.first?.current?.blob) == "after one")
        let reopened = try temporary.reopen()
        #expect(try reopened.history(ofAsset: id) == history)
    }

    @Test("K-11 the resources are original, previous, current and recipe")
    func resources() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("original")
        #expect(try AssetResource.assetResources(for: asset, in: library).map(\.type) == [.photo])
        try library.edit(asset.id, recipe: "one", render: "after one")
        func texts() throws -> [AssetResourceType: String?] {
            let resources = try AssetResource.assetResources(for: asset, in: library)
            return try Dictionary(
                uniqueKeysWithValues: resources.map { resource in
                    (resource.type, try resource.blob.map { try library.text($0) })
                })
        }
        #expect(
            try texts() == [
                .photo: "original", .adjustmentBasePhoto: "original",
                .fullSizePhoto: "after one", .adjustmentData: nil,
            ])
        try library.edit(asset.id, recipe: "two", render: "after two")
        #expect(
            try texts() == [
                .photo: "original", .adjustmentBasePhoto: "after one",
                .fullSizePhoto: "after two", .adjustmentData: nil,
            ])
        // A previous version that is not stored is listed, and rendered on request.
        _ = try library.prune()
        #expect(
            try texts() == [
                .photo: "original", .adjustmentBasePhoto: nil,
                .fullSizePhoto: "after two", .adjustmentData: nil,
            ])
    }

    @Test("E-08 an output cannot be committed to another asset")
    func outputForAnotherAsset() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let x = try library.importAsset("x")
        let y = try library.importAsset("y")
        let output = try library.output(x.id, recipe: "r", render: "rendered")
        let blobs = library.layout.blobs
        let files = Set(try FileManager.default.subpathsOfDirectory(atPath: blobs))
        let error = try libraryError {
            try library.performChanges {
                try AssetChangeRequest(for: y).contentEditingOutput = output
            }
        }
        #expect(error.code == .outputForAnotherAsset)
        #expect(Set(try FileManager.default.subpathsOfDirectory(atPath: blobs)) == files)
        #expect(error.assetIdentifier == y.id)
        #expect(try library.asset(withLocalIdentifier: y.id) == y)
        try library.performChanges {
            try AssetChangeRequest(for: x).contentEditingOutput = output
        }
        #expect(try library.asset(withLocalIdentifier: x.id).hasAdjustments)
    }

    @Test("C-21 format identifier and version are stored in separate columns")
    func formatColumns() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("a")
        try library.edit(asset.id, recipe: "one", render: "one")
        let rows = try library.read {
            try Row.fetchAll(
                $0,
                sql: """
                    SELECT uuid FROM asset WHERE adjustment_format = 'org.example.filter'
                    AND id IN (SELECT asset_id FROM edit WHERE format_version = '1.2'
                        AND format_identifier = 'org.example.filter')
                    """)
        }
        #expect(rows.map { $0[0] as String } == [asset.id])
    }

    @Test("K-01 K-03 K-08 an output without a storable recipe commits nothing")
    func unstorableRecipes() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("a")
        let history = try library.history(ofAsset: asset.id)
        var output = try library.output(asset.id, recipe: "r", render: "rendered")
        func commit() throws {
            try library.performChanges {
                try AssetChangeRequest(for: asset).contentEditingOutput = output
            }
        }
        output.adjustmentData = nil
        #expect(try libraryError(commit).code == .missingAdjustmentData)
        for size in [0, (16 << 20) + 1] {
            output.adjustmentData = AdjustmentData(
                formatIdentifier: "org.example.filter", formatVersion: "1", data: Data(count: size))
            #expect(try libraryError(commit).code == .invalidAdjustmentData)
        }
        output.adjustmentData = try .sample("r")
        output.renderedContent = nil
        #expect(try libraryError(commit).code == .missingRenderedContent)
        #expect(try library.history(ofAsset: asset.id) == history)
    }

    @Test("K-03 recipes of 1 byte and of 16 MiB round-trip", arguments: [1, 16 << 20])
    func recipeSizes(size: Int) throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("a")
        var output = try library.output(asset.id, recipe: "r", render: "rendered")
        let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        output.adjustmentData = AdjustmentData(
            formatIdentifier: "org.example", formatVersion: "1", data: data)
        try library.performChanges {
            try AssetChangeRequest(for: asset).contentEditingOutput = output
        }
        #expect(try library.history(ofAsset: asset.id).chain.first?.adjustmentData.data == data)
    }

    @Test("K-08 equal recipe and pixels commit nothing and report unchanged")
    func unchanged() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("a")
        let edited = try library.edit(asset.id, recipe: "one", render: "one")
        let token = try library.currentChangeToken
        let output = try library.output(
            asset.id, .replacingLast, recipe: "one", render: "one")
        var request: AssetChangeRequest?
        try library.performChanges {
            request = try AssetChangeRequest(for: edited)
            request?.contentEditingOutput = output
        }
        #expect(request?.isUnchanged == true)
        #expect(try library.currentChangeToken == token)
        #expect(try library.asset(withLocalIdentifier: asset.id) == edited)
        #expect(try library.history(ofAsset: asset.id).states.count == 1)
        // The same recipe, appended after the last edit, is a new edit.
        try library.edit(asset.id, .appending, recipe: "one", render: "twice")
        #expect(try library.history(ofAsset: asset.id).chain.count == 2)
    }

    @Test("K-10 revert restores the original and fails without it")
    func revert() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset(
            "original", width: 8, height: 6,
            date: CaptureDate(date: Date(timeIntervalSince1970: 86_400), offset: nil),
            location: Location(latitude: 1, longitude: 2))
        // The edit keeps the user's location instead of the file's.
        try library.performChanges {
            try AssetChangeRequest(for: asset).location = Location(latitude: 3, longitude: 4)
        }
        try library.edit(asset.id, recipe: "one", render: "one", width: 5, height: 5)
        let edited = try library.edit(asset.id, recipe: "two", render: "two", width: 4, height: 3)
        func revert() throws {
            try library.performChanges {
                try AssetChangeRequest(for: edited).revertAssetContentToOriginal()
            }
        }
        let original = try #require(library.history(ofAsset: asset.id).original?.blob)
        let path = library.layout.blob(original)
        try FileManager.default.moveItem(atPath: path, toPath: temporary.folder + "/away")
        let error = try libraryError(revert)
        #expect(error.code == .originalMissing && error.assetIdentifier == asset.id)
        #expect(try library.asset(withLocalIdentifier: asset.id) == edited)
        try FileManager.default.moveItem(atPath: temporary.folder + "/away", toPath: path)

        try revert()
        let reverted = try library.asset(withLocalIdentifier: asset.id)
        #expect(!reverted.hasAdjustments && reverted.adjustmentFormatIdentifier == nil)
        #expect(reverted.pixelWidth == 8 && reverted.pixelHeight == 6)
        #expect(reverted.modificationDate > edited.modificationDate)
        #expect(reverted.location == Location(latitude: 3, longitude: 4))
        #expect(reverted.creationDate != nil && reverted.creationDate == edited.creationDate)
        let history = try library.history(ofAsset: asset.id)
        #expect(history.position == 0 && history.chain.isEmpty && history.canRedo)
        #expect(try library.text(history.original?.blob) == "original")
        // Reverting is idempotent.
        let token = try library.currentChangeToken
        try revert()
        #expect(try library.currentChangeToken == token)
    }

    @Test("M-05 recipe, rendition, date and history are one transaction")
    func oneTransaction() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("a")
        let other = try temporary.reopen()
        let before = try library.currentChangeToken
        let output = try library.output(asset.id, recipe: "one", render: "one", width: 3, height: 2)
        // While the block's requests run, other instances see only the old state.
        let old = try other.history(ofAsset: asset.id)
        try library.performChanges {
            try AssetChangeRequest(for: asset).contentEditingOutput = output
            try ChangeBlock.current().add(
                Probe {
                    let seen = try other.history(ofAsset: asset.id)
                    let token = try other.currentChangeToken
                    guard seen == old, token == before else { throw CancellationError() }
                })
        }
        let after = try other.history(ofAsset: asset.id)
        #expect(after.asset.modificationDate > asset.modificationDate)
        #expect(after.asset.pixelWidth == 3 && after.asset.generation == asset.generation + 1)
        #expect(after.chain.first?.adjustmentData == (try .sample("one")))
        #expect(try other.text(after.chain.first?.current?.blob) == "one")
        #expect(try other.fetchPersistentChanges(since: before).count == 1)
    }

    @Test("M-05 kill -9 leaves the old state before COMMIT and the new one after it")
    func kill() async throws {
        for (moment, expected) in [("files", 0), ("rows", 0), ("committed", 1)] {
            let temporary = try TemporaryLibrary()
            let id = try temporary.library.importAsset("a").localIdentifier
            let recorder = ChangeRecorder()
            try temporary.library.register(recorder)
            let path = temporary.path
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, id = id as String, moment = moment as String] in
                let library = try PhotoLibrary.open(at: path)
                let output = try library.output(id, recipe: "one", render: "one")
                try library.performChanges {
                    let request = try AssetChangeRequest(for: output.input.asset)
                    request.contentEditingOutput = output
                    try ChangeBlock.current().add(Killer(moment: moment))
                }
            }
            // The time limit for changes by other processes.
            try await waitUntil("the change is reported", within: .seconds(10)) {
                recorder.changes.count >= expected
            }
            let library = try temporary.reopen()
            #expect(try library.history(ofAsset: id).position == expected)
            #expect(try library.check(readingDataOf: 100).severity <= .repairable)
            // Opening the library removed the dead process's staging folder.
            #expect(try Folders.names(in: library.layout.staging).count == 2)
            // The uncommitted change is not reported with a later one either.
            let asset = try library.asset(withLocalIdentifier: id)
            try library.performChangesAndWait {
                try AssetChangeRequest(for: asset).isFavorite = true
            }
            try await waitUntil("the later change is reported", within: .seconds(10)) {
                recorder.changes.count > expected
            }
            let changes = recorder.changes
            #expect(changes.count == expected + 1)
            #expect(changes.flatMap(\.items).allSatisfy { $0.identifier == id })
            #expect(
                changes.map { $0.items.contains(where: \.isContentChange) }
                    == Array([true, false].suffix(expected + 1)))
        }
    }
}

/// Records the changes that it is notified of.
private final class ChangeRecorder: ChangeObserver {
    private let recorded = Mutex<[Change]>([])
    var changes: [Change] { recorded.withLock { $0 } }
    func photoLibraryDidChange(_ change: Change) { recorded.withLock { $0.append(change) } }
}

/// Runs `body` inside the transaction.
private struct Probe: ChangeRequest {
    let body: @Sendable () throws -> Void
    func describe(in summary: inout ChangeSummary) {}
    func apply(with executor: ChangeExecutor) throws { try body() }
}

/// Kills its process at one moment of a commit.
private struct Killer: ChangeRequest {
    let moment: String
    func describe(in summary: inout ChangeSummary) {}
    var stagedBlobs: [StagedBlob] {
        die(at: "files")
        return []
    }
    func apply(with executor: ChangeExecutor) throws { die(at: "rows") }
    func didCommit(in library: PhotoLibrary) { die(at: "committed") }
    private func die(at place: String) {
        if place == moment { Glibc.kill(getpid(), SIGKILL) }
    }
}
