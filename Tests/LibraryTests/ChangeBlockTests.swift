// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Synchronization
import Testing

@testable import Library

@Suite struct ChangeBlockTests {
    @Test("A-05 change requests are created and used only inside a change block")
    func onlyInsideABlock() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("a")
        let outside = LibraryError.Code.outsideChangeBlock
        #expect(try libraryError { _ = try AssetChangeRequest(for: asset) }.code == outside)
        #expect(
            try libraryError { _ = try AssetCreationRequest(mediaType: .image) }.code == outside)
        #expect(
            try libraryError { try AssetChangeRequest.removeAssets([asset]) }.code == outside)

        var escaped: AssetChangeRequest?
        try library.performChanges {
            escaped = try AssetChangeRequest(for: asset)
            escaped?.isFavorite = true
        }
        #expect(try library.asset(withLocalIdentifier: asset.id).isFavorite)
        let request = try #require(escaped)
        #expect(try libraryError { try request.undo() }.code == outside)
        #expect(try libraryError { try request.revertAssetContentToOriginal() }.code == outside)
        #expect(try libraryError { try request.addKeyword("late") }.code == outside)
        #expect(try libraryError { try request.removeKeyword("late") }.code == outside)
        #expect(try asset.keywords(in: library) == [])
        let nested = try libraryError {
            try library.performChanges { try library.performChanges {} }
        }
        #expect(nested.code == .nestedChangeBlock)
    }

    /// The exit condition of a process whose precondition fails.
    private static var trap: ExitTest.Condition {
        #if arch(x86_64)
        .signal(SIGILL)
        #else
        .signal(SIGTRAP)
        #endif
    }

    @Test("A-05 setting a property of an escaped change request traps")
    func escapedSetterTraps() async {
        await #expect(processExitsWith: Self.trap) {
            let temporary = try TemporaryLibrary()
            let asset = try temporary.library.importAsset("a")
            var escaped: AssetChangeRequest?
            try temporary.library.performChanges { escaped = try AssetChangeRequest(for: asset) }
            defer { try? FileManager.default.removeItem(atPath: temporary.folder) }
            // The process dies below, so remove the folder first.
            try? FileManager.default.removeItem(atPath: temporary.folder)
            escaped?.isFavorite = true
        }
    }

    @Test("A-05 setting a property of an escaped creation request traps")
    func escapedCreationTraps() async {
        await #expect(processExitsWith: Self.trap) {
            let temporary = try TemporaryLibrary()
            let blob = try temporary.library.stage("a")
            var escaped: AssetCreationRequest?
            try temporary.library.performChanges {
                escaped = try AssetCreationRequest.photo(blob, .sample())
            }
            try? FileManager.default.removeItem(atPath: temporary.folder)
            escaped?.isFavorite = true
        }
    }

    @Test("A-05 setting the title of an escaped album or folder request traps")
    func escapedCollectionTraps() async {
        await #expect(processExitsWith: Self.trap) {
            let temporary = try TemporaryLibrary()
            var escaped: AssetCollectionChangeRequest?
            try temporary.library.performChanges {
                escaped = try AssetCollectionChangeRequest(creatingWithTitle: "a")
            }
            try? FileManager.default.removeItem(atPath: temporary.folder)
            escaped?.title = "late"
        }
        await #expect(processExitsWith: Self.trap) {
            let temporary = try TemporaryLibrary()
            var escaped: CollectionListChangeRequest?
            try temporary.library.performChanges {
                escaped = try CollectionListChangeRequest(creatingWithTitle: "a")
            }
            try? FileManager.default.removeItem(atPath: temporary.folder)
            escaped?.title = "late"
        }
    }

    @Test("A-14 M-05 ten edits ask once and are one transaction")
    func oneBlockForTen() throws {
        let asked = Mutex<[ChangeSummary]>([])
        var options = PhotoLibrary.Options()
        options.authorization = { summary in asked.withLock { $0.append(summary) } }
        let temporary = try TemporaryLibrary(options: options)
        let library = temporary.library
        let ids = try (0..<10).map { try library.importAsset("photo \($0)").localIdentifier }
        asked.withLock { $0 = [] }
        let before = try library.currentChangeToken
        let outputs = try ids.map {
            try library.output($0, recipe: "sepia", render: "rendered \($0)")
        }
        let token = try library.performChanges {
            for output in outputs {
                try AssetChangeRequest(for: output.input.asset).contentEditingOutput = output
            }
        }
        #expect(asked.withLock { $0 }.map(\.updated) == [ids])
        #expect(token.number == before.number + 1)
        let changes = try library.fetchPersistentChanges(since: before)
        #expect(changes.map(\.token) == [token])
        #expect(Set(changes[0].items.map(\.identifier)) == Set(ids))
        #expect(changes[0].items.allSatisfy { $0.kind == .updated && $0.isContentChange })
        for id in ids { #expect(try library.history(ofAsset: id).position == 1) }
    }

    @Test("a request takes less than 1 kB, because a large batch holds one for each photo")
    func size() { #expect(MemoryLayout<AssetChangeRequest.State>.size < 1000) }

    @Test("A-14 one failing edit rolls back all ten", arguments: [0, 4, 9])
    func allOrNothing(failing: Int) throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let ids = try (0..<10).map { try library.importAsset("photo \($0)").localIdentifier }
        var outputs = try ids.map { try library.output($0, recipe: "r", render: "done \($0)") }
        outputs[failing].adjustmentData = nil
        let before = try ids.map { try library.history(ofAsset: $0) }
        let token = try library.currentChangeToken
        let error = try libraryError {
            try library.performChanges {
                for output in outputs {
                    let request = try AssetChangeRequest(for: output.input.asset)
                    request.contentEditingOutput = output
                    request.isFavorite = true
                }
            }
        }
        #expect(error.code == .missingAdjustmentData)
        #expect(error.assetIdentifier == ids[failing])
        #expect(try ids.map { try library.history(ofAsset: $0) } == before)
        #expect(try library.currentChangeToken == token)
        #expect(try library.check(readingDataOf: 100).severity <= .repairable)
    }

    @Test("A-14 a denied authorisation changes nothing")
    func refused() throws {
        let mayChange = Mutex(true)
        var options = PhotoLibrary.Options()
        options.authorization = { _ in
            if !mayChange.withLock({ $0 }) { throw LibraryError(.notAuthorized, "no") }
        }
        let temporary = try TemporaryLibrary(options: options)
        let asset = try temporary.library.importAsset("a")
        mayChange.withLock { $0 = false }
        let error = try libraryError {
            try temporary.library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
        }
        #expect(error.code == .notAuthorized)
        #expect(try Asset.fetchAssets(in: temporary.library).count == 1)
    }

    @Test("K-09 one block makes every kind of change")
    func vocabulary() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let doomed = try library.importAsset("doomed")
        let edited = try library.importAsset("edited")
        try library.edit(edited.id, recipe: "one", render: "one")
        let editedNow = try library.asset(withLocalIdentifier: edited.id)
        let other = try library.importAsset("other")
        let output = try library.output(other.id, recipe: "two", render: "two")
        let blob = try library.stage("new")
        let place = Location(latitude: 1, longitude: 2)
        let token = try library.currentChangeToken
        var placeholder: AssetPlaceholder?
        try library.performChanges {
            let creation = try AssetCreationRequest.photo(blob, .sample())
            placeholder = creation.placeholderForCreatedAsset
            let request = try AssetChangeRequest(for: creation.placeholderForCreatedAsset)
            request.isFavorite = true
            request.location = place
            request.captureDate = CaptureDate(date: Date(timeIntervalSince1970: 5), offset: -3600)
            try AssetChangeRequest(for: editedNow).revertAssetContentToOriginal()
            let change = try AssetChangeRequest(for: other)
            change.contentEditingOutput = output
            change.isHidden = true
            try AssetChangeRequest.removeAssets([doomed])
        }
        let created = try library.asset(
            withLocalIdentifier: #require(placeholder).localIdentifier)
        #expect(created.isFavorite && created.location == place)
        #expect(created.captureDate?.offset == -3600)
        #expect(try !library.asset(withLocalIdentifier: edited.id).hasAdjustments)
        let changed = try library.asset(withLocalIdentifier: other.id)
        #expect(changed.isHidden && changed.hasAdjustments)
        #expect(
            try libraryError { _ = try library.asset(withLocalIdentifier: doomed.id) }.code
                == .noSuchAsset)
        let changes = try library.fetchPersistentChanges(since: token)
        #expect(changes.count == 1)
        let kinds = Dictionary(
            uniqueKeysWithValues: changes[0].items.map { ($0.identifier, $0.kind) })
        #expect(
            kinds == [
                created.id: .inserted, edited.id: .updated, other.id: .updated,
                doomed.id: .removed,
            ])
    }

    @Test("changes can be made without blocking a task")
    func asynchronousChange() async throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let blob = try library.stage("a")
        let token = try await library.performChanges {
            _ = try AssetCreationRequest.photo(blob, .sample())
        }
        #expect(token.number == 1)
        #expect(try Asset.fetchAssets(in: library).count == 1)
    }

    @Test("every commit writes the wake file and keeps it small")
    func wake() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("a")
        var past = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, library.layout.wake, &past, 0) == 0)
        try library.performChanges { try AssetChangeRequest(for: asset).isFavorite = true }
        let status = try #require(try Folders.status(library.layout.wake))
        #expect(status.st_mtim.tv_sec > 1)
        #expect(status.st_size == 1)
    }
}
